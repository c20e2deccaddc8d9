// A Hex player to start from. It knows the rules and the protocol; how to think is up to you: see choose() and wants_swap().
//
// Start:  ./bot b     plays white, which joins row 0 to the last row and moves first
//         ./bot p     plays black, which joins column 0 to the last column
//         ./bot b d   the same, and shows the board on stderr after every move
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

    bool is_empty(Cell at) const
    {
        return at.row >= 0 && at.row < n && at.col >= 0 && at.col < n && cells[at.row][at.col] == '-';
    }

    std::vector<Cell> empty() const
    {
        std::vector<Cell> found;
        for (int row = 0; row < n; row++)
            for (int col = 0; col < n; col++)
                if (cells[row][col] == '-') found.push_back({row, col});
        return found;
    }

    void place(Cell at, char side) { cells[at.row][at.col] = side; }

    void show() const
    {
        for (const std::string &row : cells)
            for (int col = 0; col < n; col++) std::cerr << row[col] << (col < n - 1 ? ' ' : '\n');
    }

    const int n;

private:
    std::vector<std::string> cells; // '-' empty, 'b' white, 'p' black
};

// The move of the player `me`; nothing if the board is full. The six neighbours of (row, col) are (row, col-1), (row, col+1),
// (row-1, col), (row+1, col), (row-1, col+1) and (row+1, col-1).
static std::optional<Cell> choose(const Board &board, [[maybe_unused]] char me)
{
    const std::vector<Cell> empty = board.empty();
    if (empty.empty()) return std::nullopt;
    // your idea goes here: this is any empty cell
    return empty[dice() % empty.size()];
}

// Whether to take the opponent's first stone: then you are white from now on, and the opponent moves next as black.
static bool wants_swap(const Board &board, Cell first)
{
    // your idea goes here: this takes stones that are not near an edge
    return first.row > 1 && first.row < board.n - 2 && first.col > 1 && first.col < board.n - 2;
}

// Reads lines until one is a move that is possible; nothing when there are no more lines. `swap` is the stone that may be played on
// again.
static std::optional<Cell> read_move(const Board &board, std::optional<Cell> swap)
{
    std::string line, rest;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        Cell move;
        if (words >> move.row >> move.col && !(words >> rest) && (board.is_empty(move) || swap == move)) return move;
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
    char me = side[0], turn = 'b';
    std::optional<Cell> first;
    for (int ply = 1;; ply++) {
        const bool can_swap = ply == 2;
        std::optional<Cell> move;
        if (turn != me)
            move = read_move(board, can_swap ? first : std::nullopt);
        else
            move = can_swap && wants_swap(board, *first) ? first : choose(board, me);
        if (!move) return 0; // the game is over
        // endl flushes: otherwise the move would wait in a buffer, and the opponent for ever.
        if (turn == me) std::cout << move->row << ' ' << move->col << std::endl;
        if (can_swap && move == first) {
            me = other(me); // a swap: the stone stays white, and it is still black's turn
        } else {
            board.place(*move, turn);
            turn = other(turn);
        }
        if (ply == 1) first = move;
        if (shows) board.show();
    }
}
