#include <algorithm>
#include <array>
#include <string>
#include <cstdlib>
#include <iostream>
#include <queue>
#include <vector>
using namespace std;

enum class Stone { none, white, black };
struct Cell { int row, col; bool operator==(const Cell &o) const { return row == o.row && col == o.col; } };

class Board {
    int size;
    vector<vector<Stone>> grid;
public:
    explicit Board(int size) : size(size), grid(size, vector<Stone>(size, Stone::none)) {}
    bool inside(Cell c) const { return c.row >= 0 && c.col >= 0 && c.row < size && c.col < size; }
    Stone &at(Cell c) { return grid[c.row][c.col]; }
    Stone at(Cell c) const { return grid[c.row][c.col]; }

    vector<Cell> around(Cell c) const {
        vector<Cell> result;
        for (auto [r, k] : {pair{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, -1}, {-1, 1}}) {
            Cell next{c.row + r, c.col + k};
            if (inside(next)) result.push_back(next);
        }
        return result;
    }

    vector<vector<int>> dijkstra(Stone who, bool reverse) const {
        vector<vector<int>> dist(size, vector<int>(size, 1 << 20));
        using Item = pair<int, pair<int, int>>;
        priority_queue<Item, vector<Item>, greater<Item>> heap;
        auto relax = [&](Cell c, int base) {
            if (at(c) != who && at(c) != Stone::none) return;
            int cost = base + (at(c) == Stone::none ? 1 : 0);
            if (cost < dist[c.row][c.col]) {
                dist[c.row][c.col] = cost;
                heap.push({cost, {c.row, c.col}});
            }
        };
        for (int i = 0; i < size; ++i) {
            int line = reverse ? size - 1 : 0;
            relax(who == Stone::white ? Cell{line, i} : Cell{i, line}, 0);
        }
        while (!heap.empty()) {
            auto [cost, where] = heap.top();
            heap.pop();
            if (cost > dist[where.first][where.second]) continue;
            for (Cell next : around({where.first, where.second})) relax(next, cost);
        }
        return dist;
    }

    Cell best(Stone me) const {
        Stone you = me == Stone::white ? Stone::black : Stone::white;
        array<vector<vector<int>>, 4> d = {dijkstra(me, false), dijkstra(me, true), dijkstra(you, false), dijkstra(you, true)};
        vector<pair<int, Cell>> options;
        for (int r = 0; r < size; ++r)
            for (int c = 0; c < size; ++c)
                if (grid[r][c] == Stone::none)
                    options.push_back({min(d[0][r][c] + d[1][r][c], 900) * 3 + min(d[2][r][c] + d[3][r][c], 900) * 4 + abs(r - c) % 3, {r, c}});
        auto found = min_element(options.begin(), options.end(), [](auto &a, auto &b) { return a.first < b.first; });
        return found->second;
    }
};

int main(int, char **argv) {
    const char *size = getenv("ARBITRO_SIZE");
    Board board(size ? stoi(size) : 14);
    Stone me = string(argv[1]) == "b" ? Stone::white : Stone::black, turn = Stone::white;
    Cell first{-1, -1};
    for (int ply = 1;; ++ply) {
        Cell move;
        if (turn == me) {
            move = board.best(me);
            cout << move.row << ' ' << move.col << endl;
        } else if (!(cin >> move.row >> move.col)) {
            return 0;
        }
        if (ply == 2 && move == first) {
            me = me == Stone::white ? Stone::black : Stone::white;
            continue;
        }
        if (ply == 1) first = move;
        board.at(move) = turn;
        turn = turn == Stone::white ? Stone::black : Stone::white;
    }
}
