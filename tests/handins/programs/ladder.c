/* Walks straight from one edge to the other, and steps aside where somebody stands in the way. */
#include "ladder.h"
#include <stdio.h>
#include <string.h>

int main(int n_args, char *args[]) {
    struct board table;
    memset(&table, 0, sizeof table);
    int is_white = n_args > 1 && strcmp(args[1], "b") == 0;
    if (is_white) {
        struct cell first = next_cell(&table, is_white);
        put(&table, first);
        printf("%d %d\n", first.row, first.col);
        fflush(stdout);
    }
    struct cell theirs;
    while (fscanf(stdin, "%d%d", &theirs.row, &theirs.col) != EOF) {
        put(&table, theirs);
        struct cell mine = next_cell(&table, is_white);
        if (mine.row < 0)
            break;
        put(&table, mine);
        printf("%d %d\n", mine.row, mine.col);
        fflush(stdout);
    }
    return 0;
}
