import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

class Corner {
    record Ponto(int linha, int coluna) {
        double longe(Ponto outro) {
            return Math.hypot(linha - outro.linha, coluna - outro.coluna);
        }
    }

    static final List<Ponto> livres = new ArrayList<>();

    static void joga(Ponto alvo) {
        livres.sort(Comparator.comparingDouble(p -> p.longe(alvo)));
        if (livres.isEmpty()) System.exit(0);
        Ponto p = livres.remove(0);
        System.out.printf("%d %d%n", p.linha(), p.coluna());
        System.out.flush();
    }

    public static void main(String[] argumentos) throws IOException {
        for (int i = 0; i < 196; i++) livres.add(new Ponto(i / 14, i % 14));
        Ponto canto = argumentos[0].startsWith("b") ? new Ponto(0, 13) : new Ponto(13, 0);
        if (argumentos[0].equals("b")) joga(canto);
        BufferedReader leitor = new BufferedReader(new InputStreamReader(System.in));
        String texto;
        while ((texto = leitor.readLine()) != null) {
            String[] partes = texto.trim().split("\\s+");
            Ponto deles = new Ponto(Integer.parseInt(partes[0]), Integer.parseInt(partes[1]));
            livres.remove(deles);
            joga(deles);
        }
    }
}
