#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>
using namespace std;

// distance to the far edge by breadth first search; plays the first empty cell of a shortest way
int n = 14;
vector<vector<char>> b(14, vector<char>(14, '.'));
char me, you;

bool ok(int y, int x) { return 0 <= y && y < n && 0 <= x && x < n; }

bool shortest(int &by, int &bx) {
    vector<vector<int>> d(n, vector<int>(n, 1 << 20)), py(n, vector<int>(n, -1)), px(n, vector<int>(n, -1));
    deque<pair<int, int>> q;
    for (int i = 0; i < n; i++) {
        int y = me == 'b' ? 0 : i, x = me == 'b' ? i : 0;
        if (b[y][x] == you) continue;
        d[y][x] = b[y][x] == me ? 0 : 1;
        if (d[y][x]) q.push_back({y, x}); else q.push_front({y, x});
    }
    int dy[6] = {0, 0, 1, -1, 1, -1}, dx[6] = {1, -1, 0, 0, -1, 1};
    while (!q.empty()) {
        int y = q.front().first, x = q.front().second;
        q.pop_front();
        for (int k = 0; k < 6; k++) {
            int yy = y + dy[k], xx = x + dx[k];
            if (!ok(yy, xx) || b[yy][xx] == you) continue;
            int cost = b[yy][xx] == me ? 0 : 1;
            if (d[y][x] + cost >= d[yy][xx]) continue;
            d[yy][xx] = d[y][x] + cost;
            py[yy][xx] = y;
            px[yy][xx] = x;
            if (cost) q.push_back({yy, xx}); else q.push_front({yy, xx});
        }
    }
    int ey = -1, ex = -1;
    for (int i = 0; i < n; i++) {
        int y = me == 'b' ? n - 1 : i, x = me == 'b' ? i : n - 1;
        if (d[y][x] < (1 << 20) && (ey < 0 || d[y][x] < d[ey][ex])) ey = y, ex = x;
    }
    vector<pair<int, int>> holes;
    while (ey >= 0) {
        if (b[ey][ex] == '.') holes.push_back({ey, ex});
        int ny = py[ey][ex], nx = px[ey][ex];
        ey = ny;
        ex = nx;
    }
    if (holes.empty()) return false;
    by = holes[holes.size() / 2].first;
    bx = holes[holes.size() / 2].second;
    return true;
}

void go() {
    int y = 0, x = 0;
    if (!shortest(y, x))
        for (y = 0; y < n; y++) {
            for (x = 0; x < n && b[y][x] != '.'; x++);
            if (x < n) break;
        }
    if (y >= n) exit(0);
    b[y][x] = me;
    printf("%d %d\n", y, x);
    fflush(stdout);
}

int main(int argc, char *argv[]) {
    int unused;
    me = argc > 1 && !strcmp(argv[1], "p") ? 'p' : 'b';
    you = me == 'b' ? 'p' : 'b';
    if (me == 'b') go();
    int y, x;
    while (scanf("%d %d", &y, &x) == 2) {
        b[y][x] = you;
        go();
    }
}
