import java.io.*;
import java.util.LinkedList;

class Ponto {
    final int linha, coluna;
    Ponto(int linha, int coluna) { this.linha = linha; this.coluna = coluna; }
    Ponto mais(int l, int c) { return new Ponto(linha + l, coluna + c); }
}

class Mapa {
    private final char[][] casas;
    final int tamanho;

    Mapa(int tamanho) {
        this.tamanho = tamanho;
        casas = new char[tamanho][tamanho];
        for (char[] linha : casas) java.util.Arrays.fill(linha, ' ');
    }

    boolean dentro(Ponto p) {
        return p.linha >= 0 && p.linha < tamanho && p.coluna >= 0 && p.coluna < tamanho;
    }

    char em(Ponto p) { return casas[p.linha][p.coluna]; }

    void poe(Ponto p, char cor) { casas[p.linha][p.coluna] = cor; }

    int[][] ondas(char cor, boolean doFim) {
        int[][] passos = new int[tamanho][tamanho];
        for (int[] linha : passos) java.util.Arrays.fill(linha, 999);
        LinkedList<Ponto> fila = new LinkedList<>();
        for (int i = 0; i < tamanho; i++) {
            int borda = doFim ? tamanho - 1 : 0;
            Ponto p = cor == 'b' ? new Ponto(borda, i) : new Ponto(i, borda);
            alcanca(p, 0, cor, passos, fila);
        }
        while (!fila.isEmpty()) {
            Ponto p = fila.removeFirst();
            for (int l = -1; l <= 1; l++)
                for (int c = -1; c <= 1; c++)
                    if (l != c) alcanca(p.mais(l, c), passos[p.linha][p.coluna], cor, passos, fila);
        }
        return passos;
    }

    private void alcanca(Ponto p, int antes, char cor, int[][] passos, LinkedList<Ponto> fila) {
        if (!dentro(p)) return;
        char dono = em(p);
        if (dono != cor && dono != ' ') return;
        int agora = dono == cor ? antes : antes + 1;
        if (agora >= passos[p.linha][p.coluna]) return;
        passos[p.linha][p.coluna] = agora;
        if (dono == cor) fila.addFirst(p); else fila.addLast(p);
    }
}

public class Main {
    static Ponto decide(Mapa mapa, char eu) {
        char ele = eu == 'b' ? 'p' : 'b';
        int[][][] tudo = {mapa.ondas(eu, false), mapa.ondas(eu, true), mapa.ondas(ele, false), mapa.ondas(ele, true)};
        Ponto melhor = null;
        int menor = Integer.MAX_VALUE;
        for (int l = 0; l < mapa.tamanho; l++) {
            for (int c = 0; c < mapa.tamanho; c++) {
                Ponto p = new Ponto(l, c);
                if (mapa.em(p) != ' ') continue;
                int soma = 0;
                for (int[][] passos : tudo) soma += passos[l][c];
                if (soma <= menor) { menor = soma; melhor = p; }
            }
        }
        return melhor;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader entrada = new BufferedReader(new InputStreamReader(System.in));
        String texto = System.getenv("ARBITRO_SIZE");
        Mapa mapa = new Mapa(texto == null ? 14 : Integer.parseInt(texto));
        char eu = args[0].charAt(0), vez = 'b';
        Ponto anterior = null;
        int lance = 0;
        while (true) {
            Ponto p;
            if (eu == vez) {
                p = decide(mapa, eu);
                System.out.println(p.linha + " " + p.coluna);
                System.out.flush();
            } else {
                String linha = entrada.readLine();
                if (linha == null) break;
                String[] partes = linha.trim().split(" +");
                p = new Ponto(Integer.parseInt(partes[0]), Integer.parseInt(partes[1]));
            }
            lance++;
            if (lance == 2 && p.linha == anterior.linha && p.coluna == anterior.coluna) {
                eu = eu == 'b' ? 'p' : 'b';
            } else {
                mapa.poe(p, vez);
                vez = vez == 'b' ? 'p' : 'b';
                anterior = p;
            }
        }
    }
}
