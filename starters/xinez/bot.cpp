// A player of Xadrez Xinez (Chinese checkers) to start from. It knows the rules and the protocol; how to think is up to you: see
// choose().
//
// Start:  ./bot 4 14 4     plays player 4 of the players 1 and 4, on the board with N = 4
//         ./bot 4 14 4 d   the same, and shows the board on stderr after every move
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

// A cell; its third coordinate is w = v - u.
struct Cell {
    int u, v;
};

// The indices of two cells.
struct Move {
    int from, to;
    bool operator==(const Move &that) const { return from == that.from && to == that.to; }
};

static const Cell STEPS[] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};

static std::mt19937_64 dice;

class Board {
public:
    Board(int n, const std::string &players) : n(n), cells(6 * n * n + 6 * n + 1), pieces(cells.size(), 0)
    {
        for (int u = -2 * n; u <= 2 * n; u++)
            for (int v = -2 * n; v <= 2 * n; v++)
                if (is_on_board({u, v})) cells[number({u, v})] = {u, v};
        for (char player : players)
            for (std::size_t at = 0; at < cells.size(); at++)
                if (ahead(player - '0', at) < -n) pieces[at] = player - '0';
    }

    // How far ahead a cell is for a player: below -n is its home, above n its goal.
    int ahead(int player, int at) const
    {
        const Cell seen = seen_by(player, cells[at]);
        return seen.v - seen.u;
    }

    // All moves of a player.
    std::vector<Move> moves(int player)
    {
        std::vector<Move> found;
        for (std::size_t from = 0; from < cells.size(); from++)
            if (pieces[from] == player)
                for (int to : reach(from)) found.push_back({static_cast<int>(from), to});
        return found;
    }

    void make(Move move)
    {
        pieces[move.to] = pieces[move.from];
        pieces[move.from] = 0;
    }

    void show() const
    {
        for (int w = 2 * n; w >= -2 * n; w--) {
            std::string row(6 * n + 1, ' ');
            for (std::size_t at = 0; at < cells.size(); at++)
                if (cells[at].v - cells[at].u == w)
                    row[cells[at].u + cells[at].v + 3 * n] = pieces[at] ? static_cast<char>('0' + pieces[at]) : '.';
            std::cerr << row.substr(0, row.find_last_not_of(' ') + 1) << '\n';
        }
    }

private:
    bool is_on_board(Cell at) const
    {
        return (std::abs(at.u) <= n) + (std::abs(at.v) <= n) + (std::abs(at.v - at.u) <= n) >= 2;
    }

    // The index of a cell: row by row where |u| and |v| are at most n, then four points of the star.
    int number(Cell at) const
    {
        const int side = 2 * n + 1, u = at.u, v = at.v;
        if (std::abs(u) <= n && std::abs(v) <= n) return (u + n) + side * (v + n);
        const int point = u > n ? 0 : u < -n ? 1 : v > n ? 2 : 3;
        const int line = point == 0 ? u - n : point == 1 ? -u - n : point == 2 ? v - n : -v - n;
        const int along = point == 0 ? v : point == 1 ? -v : point == 2 ? u : -u;
        const int before = (line - 1) * (n + 1) - line * (line - 1) / 2;
        return side * side + point * n * (n + 1) / 2 + before + along - line;
    }

    // A cell as a player sees it: turned until the player's home is where player 1's is.
    static Cell seen_by(int player, Cell at)
    {
        for (int turns = (7 - player) % 6; turns > 0; turns--) at = {at.u - at.v, at.u};
        return at;
    }

    // Whether a player may stop on a cell: not on a piece, nor in the points of others.
    bool is_free_for(int player, Cell at) const
    {
        const Cell seen = seen_by(player, at);
        return is_on_board(at) && !pieces[number(at)] && std::abs(seen.u) <= n && std::abs(seen.v) <= n;
    }

    // All cells that a piece can go to: by one step, or by any number of jumps.
    std::vector<int> reach(int from)
    {
        const int player = pieces[from];
        pieces[from] = 0; // on its way it finds its own cell empty
        std::vector<int> found = {from};
        const auto add = [&](Cell at) {
            const bool is_new = std::find(found.begin(), found.end(), number(at)) == found.end();
            if (is_new) found.push_back(number(at));
        };
        for (std::size_t next = 0; next < found.size(); next++)
            for (Cell step : STEPS) {
                const Cell at = cells[found[next]];
                const Cell over = {at.u + step.u, at.v + step.v}, to = {over.u + step.u, over.v + step.v};
                if (is_on_board(over) && pieces[number(over)] && is_free_for(player, to)) add(to);
            }
        for (Cell step : STEPS) {
            const Cell to = {cells[from].u + step.u, cells[from].v + step.v};
            if (is_free_for(player, to)) add(to);
        }
        pieces[from] = player;
        found.erase(found.begin());
        return found;
    }

    const int n;
    std::vector<Cell> cells; // by index
    std::vector<int> pieces; // whose piece is on a cell, 0 if none is
};

// The move of the player `me`; nothing if there is none.
static std::optional<Move> choose(Board &board, int me)
{
    const std::vector<Move> moves = board.moves(me);
    if (moves.empty()) return std::nullopt;
    // your idea goes here: this is any move that does not go back, if there is one
    std::vector<Move> good;
    for (Move move : moves)
        if (board.ahead(me, move.to) >= board.ahead(me, move.from)) good.push_back(move);
    const std::vector<Move> &best = good.empty() ? moves : good;
    return best[dice() % best.size()];
}

// Reads lines until one can be what this player does: its move, or nothing if it passes. At the end of the lines, leaves.
static std::optional<Move> read_move(Board &board, int player)
{
    std::string line, word, rest;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line), once_more(line);
        int who;
        Move move;
        if (words >> who >> word && !(words >> rest) && who == player && word == "pass") return std::nullopt;
        if (once_more >> who >> move.from >> move.to && !(once_more >> rest) && who == player) {
            const std::vector<Move> moves = board.moves(player);
            if (std::find(moves.begin(), moves.end(), move) != moves.end()) return move;
        }
        std::cerr << "invalid; send another, as: " << player << " origin destination, or " << player << " pass" << std::endl;
    }
    std::exit(0);
}

int main(int argc, char **argv)
{
    const int n = argc > 3 ? std::atoi(argv[3]) : 0;
    if (n < 1 || n > 6) {
        std::cerr << "usage: bot PLAYER PLAYERS N [d]" << std::endl;
        return 2;
    }
    // The same seed gives the same game.
    const char *seed = std::getenv("ARBITRO_SEED");
    dice.seed(seed ? std::strtoull(seed, nullptr, 10) : std::random_device()());
    const int me = std::atoi(argv[1]);
    const std::string players = argv[2];
    const bool shows = argc > 4 && std::string(argv[4]) == "d";
    Board board(n, players);
    for (std::size_t turn = 0;; turn = (turn + 1) % players.size()) {
        const int player = players[turn] - '0';
        const std::optional<Move> move = player == me ? choose(board, me) : read_move(board, player);
        // If we cannot move, the referee knows, and the game goes on without a word. endl flushes: otherwise the move would wait in a
        // buffer, and the others for ever.
        if (player == me && move) std::cout << move->from << ' ' << move->to << std::endl;
        if (move) board.make(*move);
        if (shows) board.show();
    }
}
