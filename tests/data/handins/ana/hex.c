/* EP5 - Hex: shortest paths of both sides */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX 26
#define INF 100000

int tab[MAX][MAX];
int n;
int dl[6] = {-1, -1, 0, 0, 1, 1};
int dc[6] = {0, 1, -1, 1, -1, 0};

/* distances from the first (side 0) or the last edge, by relaxing until nothing changes */
void distancias(int cor, int lado, int d[MAX][MAX])
{
    int i, j, k, mudou;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            int borda = cor == 1 ? i : j;
            d[i][j] = INF;
            if (borda == (lado ? n - 1 : 0) && tab[i][j] != 3 - cor)
                d[i][j] = tab[i][j] == 0;
        }
    do {
        mudou = 0;
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++) {
                if (tab[i][j] == 3 - cor) continue;
                for (k = 0; k < 6; k++) {
                    int l = i + dl[k], c = j + dc[k];
                    if (l < 0 || c < 0 || l >= n || c >= n) continue;
                    if (d[l][c] + (tab[i][j] == 0) < d[i][j]) {
                        d[i][j] = d[l][c] + (tab[i][j] == 0);
                        mudou = 1;
                    }
                }
            }
    } while (mudou);
}

void escolhe(int eu, int *bl, int *bc)
{
    static int a[MAX][MAX], b[MAX][MAX], p[MAX][MAX], q[MAX][MAX];
    int i, j, melhor = 4 * INF;
    distancias(eu, 0, a);
    distancias(eu, 1, b);
    distancias(3 - eu, 0, p);
    distancias(3 - eu, 1, q);
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            if (tab[i][j] == 0) {
                int v = 2 * (a[i][j] + b[i][j]) + p[i][j] + q[i][j];
                if (v < melhor) {
                    melhor = v;
                    *bl = i;
                    *bc = j;
                }
            }
}

int main(int argc, char *argv[])
{
    int eu = argv[1][0] == 'b' ? 1 : 2, vez = 1, jogada = 0, l, c, ul = -1, uc = -1;
    char *s = getenv("ARBITRO_SIZE");
    n = s ? atoi(s) : 14;
    memset(tab, 0, sizeof tab);
    while (1) {
        if (vez == eu) {
            escolhe(eu, &l, &c);
            printf("%d %d\n", l, c);
            fflush(stdout);
        } else if (scanf("%d %d", &l, &c) != 2)
            return 0;
        jogada++;
        if (jogada == 2 && l == ul && c == uc) {
            eu = 3 - eu;
            continue;
        }
        tab[l][c] = vez;
        ul = l;
        uc = c;
        vez = 3 - vez;
    }
}
