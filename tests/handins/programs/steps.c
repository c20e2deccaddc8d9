#include "ladder.h"

void put(struct board *b, struct cell at) { b->bits[at.row] |= (unsigned short)(1u << at.col); }

static int is_free(const struct board *b, int row, int col) { return !(b->bits[row] >> col & 1u); }

/* The free cell that is nearest to the line through column or row 6, line by line. */
struct cell next_cell(const struct board *b, int is_white) {
    for (int along = 0; along < ROWS; along++) {
        for (int away = 0; away < ROWS; away++) {
            int side = away % 2 ? 6 - (away + 1) / 2 : 6 + away / 2;
            if (side < 0 || side >= ROWS)
                continue;
            struct cell at = is_white ? (struct cell){along, side} : (struct cell){side, along};
            if (is_free(b, at.row, at.col))
                return at;
        }
    }
    return (struct cell){-1, -1};
}
