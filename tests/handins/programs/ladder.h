#ifndef LADDER_H
#define LADDER_H
#define ROWS 14
struct cell { int row, col; };
struct board { unsigned short bits[ROWS]; };
void put(struct board *, struct cell);
struct cell next_cell(const struct board *, int is_white);
#endif
