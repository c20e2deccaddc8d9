// An Okupació player to start from. It knows the rules and the protocol; how to think is up to you: see choose().
//
// Start:  ./bot A 3 board.txt     plays A, the first of three players, on the board in a file
//         ./bot A 3 board.txt d   the same, and shows the board on stderr after every move
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

struct Cell {
    int row, col;
};

static std::mt19937_64 dice;

class Board {
public:
    explicit Board(std::istream &file)
    {
        int cols = 0, length;
        file >> rows >> cols;
        cells.assign(rows, std::string(cols, '-'));
        int cell = 0;
        for (bool is_wall = false; file >> length; is_wall = !is_wall)
            for (; length > 0 && cell < rows * cols; length--, cell++)
                if (is_wall) cells[cell / cols][cell % cols] = '#';
    }

    // Who holds a cell: '#' is a wall or off the board, '-' is free.
    char holder(Cell at) const
    {
        if (at.row < 0 || at.row >= rows || at.col < 0 || at.col >= static_cast<int>(cells[at.row].size())) return '#';
        return cells[at.row][at.col];
    }

    std::vector<Cell> held_by(char who) const
    {
        std::vector<Cell> found;
        for (int row = 0; row < rows; row++)
            for (int col = 0; col < static_cast<int>(cells[row].size()); col++)
                if (cells[row][col] == who) found.push_back({row, col});
        return found;
    }

    // A player occupies a cell, and takes the cells beside it that it closes in.
    void occupy(Cell at, char who)
    {
        cells[at.row][at.col] = who;
        std::vector<Cell> taken;
        for (Cell near : around(at))
            if (holder(near) != who && is_taken(near, who)) taken.push_back(near);
        for (Cell cell : taken) cells[cell.row][cell.col] = who;
    }

    // The cells of one who leaves are free again.
    void leave(char who)
    {
        for (Cell cell : held_by(who)) cells[cell.row][cell.col] = '-';
    }

    void show() const
    {
        for (const std::string &row : cells)
            for (std::size_t col = 0; col < row.size(); col++) std::cerr << row[col] << (col + 1 < row.size() ? ' ' : '\n');
    }

private:
    // The cells beside a cell; walls are not among them.
    std::vector<Cell> around(Cell at) const
    {
        std::vector<Cell> found;
        for (Cell near : {Cell{at.row - 1, at.col}, {at.row + 1, at.col}, {at.row, at.col - 1}, {at.row, at.col + 1}})
            if (holder(near) != '#') found.push_back(near);
        return found;
    }

    // Whether a cell, beside one that the player `who` has just occupied, becomes the player's too.
    bool is_taken(Cell at, char who) const
    {
        const std::vector<Cell> near = around(at);
        std::vector<Cell> others;
        for (Cell cell : near)
            if (holder(cell) != who) others.push_back(cell);
        if (others.empty()) return true;
        if (near.size() < 3 || others.size() > 1) return false;
        return holder(at) == '-' || (near.size() == 4 && holder(others[0]) != holder(at));
    }

    int rows = 0;
    std::vector<std::string> cells;
};

// The move of the player `me`.
static Cell choose(const Board &board, [[maybe_unused]] char me)
{
    const std::vector<Cell> free_cells = board.held_by('-');
    // your idea goes here: this is any free cell
    return free_cells[dice() % free_cells.size()];
}

static Cell cell_of(const std::string &word) { return {word[0] - 'a', word[1] - 'a'}; }

static std::string word_of(Cell at) { return {static_cast<char>('a' + at.row), static_cast<char>('a' + at.col)}; }

static bool leaves(const std::string &what) { return what == "00" || what == "--"; }

// Reads lines until one can be what the player `who` has done; nothing when there are no more lines.
static std::optional<std::string> read_news(const Board &board, char who)
{
    std::string line, letter, what, rest;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        if (words >> letter >> what && !(words >> rest) && letter == std::string(1, who))
            if (leaves(what) || (what.size() == 2 && board.holder(cell_of(what)) == '-')) return what;
        std::cerr << "invalid; send another, as: " << who << " ab" << std::endl;
    }
    return std::nullopt;
}

int main(int argc, char **argv)
{
    std::ifstream file(argc > 3 ? argv[3] : "");
    const int players = argc > 3 ? std::atoi(argv[2]) : 0;
    if (players < 2 || players > 10 || !file) {
        std::cerr << "usage: bot LETTER PLAYERS BOARDFILE [d]" << std::endl;
        return 2;
    }
    // The same seed gives the same game.
    const char *seed = std::getenv("ARBITRO_SEED");
    dice.seed(seed ? std::strtoull(seed, nullptr, 10) : std::random_device()());
    const bool shows = argc > 4 && std::string(argv[4]) == "d";
    Board board(file);
    const char me = argv[1][0];
    std::string in_game = std::string("ABCDEFGHIJ").substr(0, players);
    std::size_t turn = 0;
    while (in_game.size() > 1 && !board.held_by('-').empty()) {
        const char who = in_game[turn];
        const std::optional<std::string> what = who == me ? word_of(choose(board, me)) : read_news(board, who);
        if (!what) return 0; // the game is over
        // endl flushes: otherwise the move would wait in a buffer, and the others for ever.
        if (who == me) std::cout << *what << std::endl;
        if (leaves(*what)) {
            board.leave(who);
            in_game.erase(turn, 1); // the next one moves up
        } else {
            board.occupy(cell_of(*what), who);
            turn++;
        }
        turn %= in_game.size();
        if (shows) board.show();
    }
}
