/* A bot of Hex that always plays the same: it takes free cells in an order that follows from its key, after a pause before each move, so
 * that its games last as long as those of bots that think, and cost no processor.
 *
 * Usage: patient KEY MILLISECONDS b|p */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned hash(unsigned key, unsigned cell)
{
    unsigned mixed = (key * 2654435761u) ^ (cell * 2246822519u);
    mixed ^= mixed >> 15;
    mixed *= 3266489917u;
    return mixed ^ mixed >> 13;
}

int main(int count, char **words)
{
    if (count < 4 || !getenv("ARBITRO_SIZE"))
        return 2;
    unsigned key = strtoul(words[1], NULL, 10);
    int size = atoi(getenv("ARBITRO_SIZE")), row, column, is_next = words[3][0] == 'b';
    char taken[26 * 26] = {0};
    for (;;) {
        if (is_next) {
            int best = -1;
            for (int cell = 0; cell < size * size; cell++)
                if (!taken[cell] && (best < 0 || hash(key, cell) < hash(key, best)))
                    best = cell;
            if (best < 0)
                return 1;
            usleep(strtoul(words[2], NULL, 10) * 1000);
            taken[best] = 1;
            printf("%d %d\n", best / size, best % size);
            fflush(stdout);
        }
        is_next = 1;
        if (scanf("%d %d", &row, &column) != 2)
            return 0;
        taken[row * size + column] = 1;
    }
}
