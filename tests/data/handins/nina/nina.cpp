#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

// MCTS with RAVE-like statistics on all moves as first
int S;
std::mt19937 rng(12345);

struct Pos {
    std::vector<char> c;
    char side = 0;
};

int root_of(std::vector<int>& up, int v) { return up[v] < 0 ? v : up[v] = root_of(up, up[v]); }

void unite(std::vector<int>& up, int a, int b) {
    a = root_of(up, a), b = root_of(up, b);
    if (a == b) return;
    if (up[a] > up[b]) std::swap(a, b);
    up[a] += up[b];
    up[b] = a;
}

char winner(const Pos& p) {
    std::vector<int> up(S * S + 2, -1);
    for (int v = 0; v < S * S; v++) {
        if (p.c[v] != 0) continue;
        if (v < S) unite(up, v, S * S);
        if (v >= S * S - S) unite(up, v, S * S + 1);
        if (v % S && p.c[v - 1] == 0) unite(up, v, v - 1);
        if (v >= S && p.c[v - S] == 0) unite(up, v, v - S);
        if (v >= S && (v + 1) % S && p.c[v - S + 1] == 0) unite(up, v, v - S + 1);
    }
    return root_of(up, S * S) == root_of(up, S * S + 1) ? 0 : 1;
}

struct Tree {
    double sum = 0, amaf = 0;
    int n = 0, amaf_n = 0, move = -1;
    std::vector<std::unique_ptr<Tree>> kids;

    char run(Pos& p) {
        char mover = p.side, result;
        if (n < 2) {
            std::vector<int> open;
            for (int v = 0; v < S * S; v++) if (p.c[v] == 2) open.push_back(v);
            std::shuffle(open.begin(), open.end(), rng);
            for (int v : open) { p.c[v] = p.side; p.side ^= 1; }
            result = winner(p);
        } else {
            if (kids.empty())
                for (int v = 0; v < S * S; v++)
                    if (p.c[v] == 2) { kids.push_back(std::make_unique<Tree>()); kids.back()->move = v; }
            if (kids.empty()) return winner(p);
            Tree* pick = nullptr;
            double top = -1;
            for (auto& k : kids) {
                double beta = std::sqrt(50.0 / (3 * k->n + 50));
                double q = k->n ? k->sum / k->n : 0.5, a = k->amaf_n ? k->amaf / k->amaf_n : 0.5;
                double u = (1 - beta) * q + beta * a + 0.1 * std::sqrt(std::log(n + 1.0) / (k->n + 1));
                if (u > top) top = u, pick = k.get();
            }
            p.c[pick->move] = p.side;
            p.side ^= 1;
            result = pick->run(p);
            for (auto& k : kids)
                if (p.c[k->move] == mover) { k->amaf_n++; k->amaf += result == mover; }
        }
        n++;
        sum += result != mover;
        return result;
    }
};

int main(int argc, char** argv) {
    S = std::getenv("ARBITRO_SIZE") ? std::atoi(std::getenv("ARBITRO_SIZE")) : 14;
    Pos now;
    now.c.assign(S * S, 2);
    char me = argv[1][0] == 'p';
    int previous = -1, played = 0;
    while (true) {
        int v;
        if (now.side == me) {
            Tree t;
            for (int i = 0; i < 250; i++) { Pos copy = now; t.run(copy); }
            int most = -1;
            for (auto& k : t.kids) if (k->n > most) most = k->n, v = k->move;
            std::printf("%d %d\n", v / S, v % S);
            std::fflush(stdout);
        } else {
            int a, b;
            if (std::scanf("%d %d", &a, &b) != 2) break;
            v = a * S + b;
        }
        played++;
        if (played == 2 && v == previous) { me ^= 1; continue; }
        previous = v;
        now.c[v] = now.side;
        now.side ^= 1;
    }
}
