// A RHEX player to start from. It knows the rules and the protocol; how to think is up to you: see choose().
//
// Start:  ./bot b     plays white, which moves first
//         ./bot p     plays black
//         ./bot b d   the same, and shows the board on stderr after every move
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

struct Cell {
    int row, col;
    bool operator==(const Cell &that) const { return row == that.row && col == that.col; }
};

static std::mt19937_64 dice;

static char other(char side) { return side == 'b' ? 'p' : 'b'; }

class Board {
public:
    explicit Board(int n) : n(n), cells(n, std::string(n, '-')) {}

    bool is_on_board(Cell at) const { return at.row >= 0 && at.row < n && at.col >= 0 && at.col < n; }

    bool is_empty(Cell at) const { return is_on_board(at) && cells[at.row][at.col] == '-'; }

    std::vector<Cell> empty() const
    {
        std::vector<Cell> found;
        for (int row = 0; row < n; row++)
            for (int col = 0; col < n; col++)
                if (cells[row][col] == '-') found.push_back({row, col});
        return found;
    }

    // Places a token. If most tokens of its zone show the other colour, all of them are turned over.
    void place(Cell at, char side)
    {
        cells[at.row][at.col] = side;
        const std::vector<Cell> zone = zone_of(at);
        const auto is_own = [&](Cell cell) { return cells[cell.row][cell.col] == side; };
        if (2 * std::count_if(zone.begin(), zone.end(), is_own) >= static_cast<long>(zone.size())) return;
        for (Cell cell : zone) cells[cell.row][cell.col] = other(cells[cell.row][cell.col]);
    }

    void show() const
    {
        for (const std::string &row : cells)
            for (int col = 0; col < n; col++) std::cerr << row[col] << (col < n - 1 ? ' ' : '\n');
    }

    const int n; // there are 2n tokens in all

private:
    // All tokens that hang together with the one at a cell, whatever their colours.
    std::vector<Cell> zone_of(Cell at) const
    {
        static const Cell steps[] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, 1}, {1, -1}};
        std::vector<Cell> zone = {at};
        for (std::size_t next = 0; next < zone.size(); next++)
            for (Cell step : steps) {
                const Cell near = {zone[next].row + step.row, zone[next].col + step.col};
                const bool is_token = is_on_board(near) && !is_empty(near);
                if (is_token && std::find(zone.begin(), zone.end(), near) == zone.end()) zone.push_back(near);
            }
        return zone;
    }

    std::vector<std::string> cells; // '-' empty, 'b' white, 'p' black
};

// The move of the player `me`.
static Cell choose(const Board &board, [[maybe_unused]] char me)
{
    const std::vector<Cell> empty = board.empty();
    // your idea goes here: this is any empty cell
    return empty[dice() % empty.size()];
}

// Reads lines until one is a move that is possible; nothing when there are no more lines.
static std::optional<Cell> read_move(const Board &board)
{
    std::string line, rest;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        Cell move;
        if (words >> move.row >> move.col && !(words >> rest) && board.is_empty(move)) return move;
        std::cerr << "invalid move; send another, as: row col" << std::endl;
    }
    return std::nullopt;
}

int main(int argc, char **argv)
{
    const char *size = std::getenv("ARBITRO_SIZE"), *seed = std::getenv("ARBITRO_SEED");
    const std::string side = argc > 1 ? argv[1] : "";
    const int n = size ? std::atoi(size) : 14;
    if ((side != "b" && side != "p") || n < 2 || n > 26) {
        std::cerr << "usage: bot b|p [d]" << std::endl;
        return 2;
    }
    // The same seed gives the same game.
    dice.seed(seed ? std::strtoull(seed, nullptr, 10) : std::random_device()());
    const bool shows = argc > 2 && std::string(argv[2]) == "d";
    Board board(n);
    const char me = side[0];
    char turn = 'b';
    for (int token = 1; token <= 2 * n; token++) {
        const std::optional<Cell> move = turn == me ? choose(board, me) : read_move(board);
        if (!move) return 0; // the game is over
        // endl flushes: otherwise the move would wait in a buffer, and the opponent for ever.
        if (turn == me) std::cout << move->row << ' ' << move->col << std::endl;
        board.place(*move, turn);
        turn = other(turn);
        if (shows) board.show();
    }
}
