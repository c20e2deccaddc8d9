#include <stdio.h>
#include <stdlib.h>
/* goes straight from edge to edge in the column (row) that is freest, around what is in the way */
int m[30][30], s = 14;

int livres(int linha, int branco) {
    int i, q = 0;
    for (i = 0; i < s; i++) {
        int casa = branco ? m[i][linha] : m[linha][i];
        if (casa == 0) q += 1;
        if (casa == (branco ? 1 : 2)) q += 3;
        if (casa == (branco ? 2 : 1)) q -= 4;
    }
    return q;
}

int main(int argc, char **argv) {
    int branco = argv[1][0] == 'b', x, y, i, a = -1, b = -1, lances;
    if (getenv("ARBITRO_SIZE") != NULL) s = atoi(getenv("ARBITRO_SIZE"));
    for (lances = 0; ; lances++) {
        if ((lances % 2 == 0) == branco) {
            int melhor = 0;
            for (i = 1; i < s; i++)
                if (livres(i, branco) > livres(melhor, branco)) melhor = i;
            x = y = -1;
            for (i = 0; i < s && x < 0; i++) {
                int k = (i % 2 ? s / 2 - (i + 1) / 2 : s / 2 + i / 2);
                if (k < 0 || k >= s) continue;
                if (branco && m[k][melhor] == 0) x = k, y = melhor;
                if (!branco && m[melhor][k] == 0) x = melhor, y = k;
            }
            for (i = 0; x < 0; i++)
                if (m[i / s][i % s] == 0) x = i / s, y = i % s;
            printf("%d %d\n", x, y);
            fflush(stdout);
        } else if (scanf("%d %d", &x, &y) < 2) exit(0);
        if (lances == 1 && x == a && y == b) {
            branco = !branco;
            m[x][y] = 1;
            lances = 0;
            a = -1;
            continue;
        }
        a = x, b = y;
        m[x][y] = lances % 2 == 0 ? 1 : 2;
    }
}
