// Builds bridges: the next stone stands a knight's move from the last one, if it can.
#include <array>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <utility>

using Cell = std::pair<int, int>;

class Player {
public:
    explicit Player(bool down) : down_(down) {}

    void see(Cell cell) { stones_.insert(cell); }

    Cell choose() {
        for (auto candidate : {bridged(), centre(), any()})
            if (candidate) {
                last_ = candidate;
                stones_.insert(*candidate);
                return *candidate;
            }
        throw std::string("full");
    }

private:
    static constexpr int kSize = 14;
    bool down_;
    std::set<Cell> stones_;
    std::optional<Cell> last_;

    bool open(Cell cell) const {
        auto [row, col] = cell;
        return row >= 0 && col >= 0 && row < kSize && col < kSize && stones_.count(cell) == 0;
    }

    std::optional<Cell> bridged() const {
        if (!last_) return std::nullopt;
        const std::array<Cell, 4> ways = down_ ? std::array<Cell, 4>{{{2, -1}, {1, 1}, {-2, 1}, {-1, -1}}}
                                               : std::array<Cell, 4>{{{-1, 2}, {1, 1}, {1, -2}, {-1, -1}}};
        for (auto [dr, dc] : ways)
            if (Cell next{last_->first + dr, last_->second + dc}; open(next)) return next;
        return std::nullopt;
    }

    std::optional<Cell> centre() const {
        Cell middle{kSize / 2, kSize / 2};
        return open(middle) ? std::optional(middle) : std::nullopt;
    }

    std::optional<Cell> any() const {
        for (int sum = 0; sum < 2 * kSize - 1; ++sum)
            for (int row = 0; row <= sum; ++row)
                if (Cell cell{row, sum - row}; open(cell)) return cell;
        return std::nullopt;
    }
};

int main(int argc, char** argv) {
    bool first = argc > 1 && std::string(argv[1]) == "b";
    Player player(first);
    auto say = [&] {
        auto [row, col] = player.choose();
        std::cout << row << ' ' << col << std::endl;
    };
    try {
        if (first) say();
        for (int row, col; std::cin >> row >> col; say()) player.see({row, col});
    } catch (const std::string&) {
    }
}
