import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Scanner;

/**
 * A RHEX player to start from. It knows the rules and the protocol; how to think is up to you: see choose().
 *
 * Start:  java -cp . Bot b     plays white, which moves first
 *         java -cp . Bot p     plays black
 *         java -cp . Bot b d   the same, and shows the board on stderr after every move
 */
public class Bot {
    /** A cell is a number: row * n + col. */
    static final int NONE = -1;
    static final int[][] STEPS = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, 1}, {1, -1}};

    final int n; // there are 2n tokens in all
    final char[] board; // '-' empty, 'b' white, 'p' black
    final Random dice;
    final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

    Bot(int n, Random dice) {
        this.n = n;
        this.dice = dice;
        board = new char[n * n];
        Arrays.fill(board, '-');
    }

    /** The move of the player `me`. */
    int choose(char me) {
        List<Integer> empty = new ArrayList<>();
        for (int at = 0; at < board.length; at++) {
            if (board[at] == '-') {
                empty.add(at);
            }
        }
        // your idea goes here: this is any empty cell
        return empty.get(dice.nextInt(empty.size()));
    }

    /** Places a token. If most tokens of its zone show the other colour, all of them are turned over. */
    void place(int at, char side) {
        board[at] = side;
        List<Integer> zone = zoneOf(at);
        int own = 0;
        for (int cell : zone) {
            own += board[cell] == side ? 1 : 0;
        }
        if (2 * own < zone.size()) {
            for (int cell : zone) {
                board[cell] = other(board[cell]);
            }
        }
    }

    /** All tokens that hang together with the one at a cell, whatever their colours. */
    List<Integer> zoneOf(int at) {
        List<Integer> zone = new ArrayList<>(List.of(at));
        for (int next = 0; next < zone.size(); next++) {
            for (int[] step : STEPS) {
                int near = cell(zone.get(next) / n + step[0], zone.get(next) % n + step[1]);
                if (near != NONE && board[near] != '-' && !zone.contains(near)) {
                    zone.add(near);
                }
            }
        }
        return zone;
    }

    int cell(int row, int col) {
        return row >= 0 && row < n && col >= 0 && col < n ? row * n + col : NONE;
    }

    /** Reads lines until one is a move that is possible; NONE when there are no more lines. */
    int readMove() throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Scanner words = new Scanner(line);
            int row = words.hasNextInt() ? words.nextInt() : NONE;
            int at = cell(row, words.hasNextInt() ? words.nextInt() : NONE);
            if (at != NONE && !words.hasNext() && board[at] == '-') {
                return at;
            }
            System.err.println("invalid move; send another, as: row col");
        }
        return NONE;
    }

    void show() {
        for (int row = 0; row < n; row++) {
            String cells = new String(board, row * n, n);
            System.err.println(String.join(" ", cells.split("")));
        }
    }

    static char other(char side) {
        return side == 'b' ? 'p' : 'b';
    }

    void run(char me, boolean shows) throws IOException {
        char turn = 'b';
        for (int token = 1; token <= 2 * n; token++) {
            int move = turn == me ? choose(me) : readMove();
            if (move == NONE) {
                return; // the game is over
            }
            if (turn == me) {
                System.out.println(move / n + " " + move % n);
                System.out.flush(); // or the move could wait in a buffer, and the opponent for ever
            }
            place(move, turn);
            turn = other(turn);
            if (shows) {
                show();
            }
        }
    }

    public static void main(String[] args) throws IOException {
        int n = Integer.parseInt(System.getenv().getOrDefault("ARBITRO_SIZE", "14"));
        if (args.length < 1 || !args[0].matches("[bp]")) {
            System.err.println("usage: java -cp . Bot b|p [d]");
            System.exit(2);
        }
        // The same seed gives the same game.
        String seed = System.getenv("ARBITRO_SEED");
        Random dice = seed == null ? new Random() : new Random(Long.parseUnsignedLong(seed));
        new Bot(n, dice).run(args[0].charAt(0), args.length > 1 && args[1].equals("d"));
    }
}
