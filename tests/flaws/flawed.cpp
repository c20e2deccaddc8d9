// A Hex bot with one flaw, as students write them: flawed FLAW b|p
//
// Without its flaw it is sound: it plays a line of stones towards itself, marks every stone, and knows the swap.
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using std::cin, std::cout, std::endl, std::string, std::vector;

static string flaw;
static int n = 14, plies = 0;
static string me;
static vector<vector<char>> board;
static std::pair<int, int> last;

static std::pair<int, int> choose()
{
    if (flaw == "draws-for-ever") { // draws cells of its own half until one is free
        for (;;) {
            int row = std::rand() % n, col = std::rand() % (n / 2);
            if (board[row][col] == '-') return {row, col};
        }
    }
    if (flaw == "vector-at") return {board.at(n).at(0), 0};
    if (flaw == "optional-is-empty") {
        vector<std::pair<int, int>> none;
        if (none.empty()) throw std::string("no move");
    }
    int middle = n / 2;
    for (int i = n - 1; i >= 0; i--) {
        int row = me == "b" ? i : middle, col = me == "b" ? middle : i;
        if (board[row][col] == '-') return {row, col};
    }
    for (int row = n - 1; row >= 0; row--)
        for (int col = n - 1; col >= 0; col--)
            if (board[row][col] == '-') return {row, col};
    return {0, 0};
}

static void say(int row, int col)
{
    if (flaw == "words-before-the-move") cout << "Jogada: " << row << " " << col << endl;
    else if (flaw == "clears-the-screen") cout << "\033[2J\033[H" << row << " " << col << endl;
    else if (flaw == "coloured") cout << "\033[1;32m" << row << " " << col << "\033[0m" << endl;
    else if (flaw == "no-newline") cout << row << " " << col << std::flush;
    else if (flaw == "no-blank") cout << row << col << endl;
    else cout << row << " " << col << endl;
}

static void play()
{
    if (flaw == "thread-not-joined") std::thread worker([] {});
    last = choose();
    board[last.first][last.second] = me[0];
    plies++;
    say(last.first, last.second);
}

static bool read_move(int &row, int &col)
{
    if (flaw == "expects-a-comma") { // takes the column for the comma, and waits for another number
        char comma;
        while (!(cin >> row >> comma >> col) || comma != ',') cin.clear();
        return true;
    }
    return bool(cin >> row >> col);
}

int main(int, char **argv)
{
    flaw = argv[1];
    me = argv[2];
    if (flaw == "letters-exchanged") me = me == "b" ? "p" : "b"; // b for black, it thinks
    if (const char *size = std::getenv("ARBITRO_SIZE")) n = std::atoi(size);
    board.assign(n, vector<char>(n, '-'));
    if (me == "b") play();
    int row, col;
    while (read_move(row, col)) {
        plies++;
        if (plies == 2 && me == "b" && last == std::make_pair(row, col)) me = "p";
        else board[row][col] = me == "b" ? 'p' : 'b';
        play();
    }
}
