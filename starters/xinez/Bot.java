import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A player of Xadrez Xinez (Chinese checkers) to start from. It knows the rules and the protocol; how to think is up to you: see
 * choose().
 *
 * Start:  java -cp . Bot 4 14 4     plays player 4 of the players 1 and 4, on the board with N = 4
 *         java -cp . Bot 4 14 4 d   the same, and shows the board on stderr after every move
 */
public class Bot {
    static final int[][] STEPS = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};
    /** What is read of a player that cannot move. */
    static final int[] PASS = {};

    final int n;
    final int[][] cells; // u and v by index; the third coordinate is w = v - u
    final int[] pieces; // whose piece is on a cell, 0 if none is
    final Random dice;
    final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

    Bot(int n, String players, Random dice) {
        this.n = n;
        this.dice = dice;
        cells = new int[6 * n * n + 6 * n + 1][];
        pieces = new int[cells.length];
        for (int u = -2 * n; u <= 2 * n; u++) {
            for (int v = -2 * n; v <= 2 * n; v++) {
                if (isOnBoard(u, v)) {
                    cells[number(u, v)] = new int[] {u, v};
                }
            }
        }
        for (char player : players.toCharArray()) {
            for (int at = 0; at < cells.length; at++) {
                if (ahead(player - '0', at) < -n) {
                    pieces[at] = player - '0';
                }
            }
        }
    }

    /** The move of the player `me`, a pair of indices; PASS if there is none. */
    int[] choose(int me) {
        List<int[]> moves = moves(me);
        if (moves.isEmpty()) {
            return PASS;
        }
        // your idea goes here: this is any move that does not go back, if there is one
        List<int[]> good = new ArrayList<>(moves);
        good.removeIf(move -> ahead(me, move[1]) < ahead(me, move[0]));
        List<int[]> best = good.isEmpty() ? moves : good;
        return best.get(dice.nextInt(best.size()));
    }

    boolean isOnBoard(int u, int v) {
        int small = 0;
        for (int coordinate : new int[] {u, v, v - u}) {
            small += Math.abs(coordinate) <= n ? 1 : 0;
        }
        return small >= 2;
    }

    /** The index of a cell: row by row where |u| and |v| are at most n, then four points of the star. */
    int number(int u, int v) {
        int side = 2 * n + 1;
        if (Math.abs(u) <= n && Math.abs(v) <= n) {
            return (u + n) + side * (v + n);
        }
        int point = u > n ? 0 : u < -n ? 1 : v > n ? 2 : 3;
        int line = new int[] {u - n, -u - n, v - n, -v - n}[point];
        int along = new int[] {v, -v, u, -u}[point];
        int before = (line - 1) * (n + 1) - line * (line - 1) / 2;
        return side * side + point * n * (n + 1) / 2 + before + along - line;
    }

    /** A cell as a player sees it: turned until the player's home is where player 1's is. */
    static int[] seenBy(int player, int u, int v) {
        int[] seen = {u, v};
        for (int turns = (7 - player) % 6; turns > 0; turns--) {
            seen = new int[] {seen[0] - seen[1], seen[0]};
        }
        return seen;
    }

    /** How far ahead a cell is for a player: below -n is its home, above n its goal. */
    int ahead(int player, int at) {
        int[] seen = seenBy(player, cells[at][0], cells[at][1]);
        return seen[1] - seen[0];
    }

    /** Whether a player may stop on a cell: not on a piece, nor in the points of others. */
    boolean isFreeFor(int player, int u, int v) {
        int[] seen = seenBy(player, u, v);
        boolean isFree = isOnBoard(u, v) && pieces[number(u, v)] == 0;
        return isFree && Math.abs(seen[0]) <= n && Math.abs(seen[1]) <= n;
    }

    /** All cells that a piece can go to: by one step, or by any number of jumps. */
    List<Integer> reach(int from) {
        int player = pieces[from];
        pieces[from] = 0; // on its way it finds its own cell empty
        List<Integer> found = new ArrayList<>(List.of(from));
        for (int next = 0; next < found.size(); next++) {
            for (int[] step : STEPS) {
                int u = cells[found.get(next)][0] + step[0], v = cells[found.get(next)][1] + step[1];
                boolean jumps = isOnBoard(u, v) && pieces[number(u, v)] != 0 && isFreeFor(player, u + step[0], v + step[1]);
                if (jumps && !found.contains(number(u + step[0], v + step[1]))) {
                    found.add(number(u + step[0], v + step[1]));
                }
            }
        }
        for (int[] step : STEPS) {
            int u = cells[from][0] + step[0], v = cells[from][1] + step[1];
            if (isFreeFor(player, u, v) && !found.contains(number(u, v))) {
                found.add(number(u, v));
            }
        }
        pieces[from] = player;
        found.remove(0);
        return found;
    }

    /** All moves of a player. */
    List<int[]> moves(int player) {
        List<int[]> moves = new ArrayList<>();
        for (int from = 0; from < cells.length; from++) {
            if (pieces[from] == player) {
                for (int to : reach(from)) {
                    moves.add(new int[] {from, to});
                }
            }
        }
        return moves;
    }

    void make(int[] move) {
        pieces[move[1]] = pieces[move[0]];
        pieces[move[0]] = 0;
    }

    /** Reads lines until one can be what this player does: its move, or PASS; null when there are no more lines. */
    int[] readMove(int player) throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String words = line.trim().replaceAll("\\s+", " ");
            if (words.equals(player + " pass")) {
                return PASS;
            }
            for (int[] move : moves(player)) {
                if (words.equals(player + " " + move[0] + " " + move[1])) {
                    return move;
                }
            }
            System.err.println("invalid; send another, as: " + player + " origin destination, or " + player + " pass");
        }
        return null;
    }

    void show() {
        for (int w = 2 * n; w >= -2 * n; w--) {
            char[] row = new char[6 * n + 1];
            Arrays.fill(row, ' ');
            for (int at = 0; at < cells.length; at++) {
                if (cells[at][1] - cells[at][0] == w) {
                    row[cells[at][0] + cells[at][1] + 3 * n] = pieces[at] == 0 ? '.' : (char) ('0' + pieces[at]);
                }
            }
            System.err.println(new String(row).replaceAll(" +$", ""));
        }
    }

    void run(int me, String players, boolean shows) throws IOException {
        for (int turn = 0;; turn = (turn + 1) % players.length()) {
            int player = players.charAt(turn) - '0';
            int[] move = player == me ? choose(me) : readMove(player);
            if (move == null) {
                return; // the game is over
            }
            // If we cannot move, the referee knows, and the game goes on without a word.
            if (player == me && move != PASS) {
                System.out.println(move[0] + " " + move[1]);
                System.out.flush(); // or the move could wait in a buffer, and the others for ever
            }
            if (move != PASS) {
                make(move);
            }
            if (shows) {
                show();
            }
        }
    }

    public static void main(String[] args) throws IOException {
        if (args.length < 3) {
            System.err.println("usage: java -cp . Bot PLAYER PLAYERS N [d]");
            System.exit(2);
        }
        // The same seed gives the same game.
        String seed = System.getenv("ARBITRO_SEED");
        Random dice = seed == null ? new Random() : new Random(Long.parseUnsignedLong(seed));
        Bot bot = new Bot(Integer.parseInt(args[2]), args[1], dice);
        bot.run(Integer.parseInt(args[0]), args[1], args.length > 3 && args[3].equals("d"));
    }
}
