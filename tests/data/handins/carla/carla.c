#include <stdio.h>
#include <stdlib.h>
#include <limits.h>

/* alpha-beta on the best cells by a potential; resistances are too slow for me */

#define VAZIO '-'
char t[28][28];
int tam;
struct jogada { int x, y, nota; };

char inimigo(char c) { return c == 'b' ? 'p' : 'b'; }

int vizinhos(int x, int y, char cor) {
    int soma = 0;
    if (t[x-1][y] == cor) soma++;
    if (t[x+1][y] == cor) soma++;
    if (t[x][y-1] == cor) soma++;
    if (t[x][y+1] == cor) soma++;
    if (t[x-1][y+1] == cor) soma++;
    if (t[x+1][y-1] == cor) soma++;
    return soma;
}

/* bridges: two cells away with both cells between them free */
int pontes(int x, int y, char cor) {
    int r = 0;
    if (x > 1 && t[x-2][y+1] == cor && t[x-1][y] == VAZIO && t[x-1][y+1] == VAZIO) r++;
    if (t[x+2][y-1] == cor && t[x+1][y] == VAZIO && t[x+1][y-1] == VAZIO) r++;
    if (t[x-1][y-1] == cor && t[x-1][y] == VAZIO && t[x][y-1] == VAZIO) r++;
    if (t[x+1][y+1] == cor && t[x+1][y] == VAZIO && t[x][y+1] == VAZIO) r++;
    return r;
}

int nota(int x, int y, char cor) {
    int meio = abs(2 * x - tam - 1) + abs(2 * y - tam - 1);
    return 7 * pontes(x, y, cor) + 3 * vizinhos(x, y, cor) + 4 * vizinhos(x, y, inimigo(cor)) - meio;
}

int compara(const void *a, const void *b) {
    return ((struct jogada *)b)->nota - ((struct jogada *)a)->nota;
}

int candidatas(char cor, struct jogada *lista) {
    int k = 0;
    for (int x = 1; x <= tam; x++)
        for (int y = 1; y <= tam; y++)
            if (t[x][y] == VAZIO) {
                lista[k].x = x;
                lista[k].y = y;
                lista[k++].nota = nota(x, y, cor);
            }
    qsort(lista, k, sizeof lista[0], compara);
    return k < 6 ? k : 6;
}

int alfabeta(char cor, int prof, int alfa, int beta, struct jogada *melhor) {
    struct jogada lista[676];
    int k = candidatas(cor, lista);
    if (prof == 0 || k == 0) return k ? lista[0].nota : 0;
    for (int i = 0; i < k && alfa < beta; i++) {
        t[lista[i].x][lista[i].y] = cor;
        int v = lista[i].nota - alfabeta(inimigo(cor), prof - 1, -beta, -alfa, NULL);
        t[lista[i].x][lista[i].y] = VAZIO;
        if (v > alfa) {
            alfa = v;
            if (melhor) *melhor = lista[i];
        }
    }
    return alfa;
}

int main(int argc, char **argv) {
    char eu = argv[1][0], vez = 'b';
    struct jogada j, primeira = {0, 0, 0};
    tam = getenv("ARBITRO_SIZE") ? atoi(getenv("ARBITRO_SIZE")) : 14;
    for (int x = 1; x <= tam; x++)
        for (int y = 1; y <= tam; y++) t[x][y] = VAZIO;
    for (int lance = 1; ; lance++) {
        if (vez == eu) {
            if (candidatas(eu, (struct jogada[676]){{0}}) == 0) return 0;
            alfabeta(eu, 3, -INT_MAX, INT_MAX, &j);
            printf("%d %d\n", j.x - 1, j.y - 1);
            fflush(stdout);
        } else {
            if (scanf("%d", &j.x) != 1 || scanf("%d", &j.y) != 1) return 0;
            j.x++; j.y++;
        }
        if (lance == 1) primeira = j;
        if (lance == 2 && j.x == primeira.x && j.y == primeira.y) { eu = inimigo(eu); continue; }
        t[j.x][j.y] = vez;
        vez = inimigo(vez);
    }
}
