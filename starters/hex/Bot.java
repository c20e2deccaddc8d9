import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Scanner;

/**
 * A Hex player to start from. It knows the rules and the protocol; how to think is up to you: see choose() and wantsSwap().
 *
 * Start:  java -cp . Bot b     plays white, which joins row 0 to the last row and moves first
 *         java -cp . Bot p     plays black, which joins column 0 to the last column
 *         java -cp . Bot b d   the same, and shows the board on stderr after every move
 */
public class Bot {
    /** A cell is a number: row * n + col. */
    static final int NONE = -1;

    final int n;
    final char[] board; // '-' empty, 'b' white, 'p' black
    final Random dice;
    final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

    Bot(int n, Random dice) {
        this.n = n;
        this.dice = dice;
        board = new char[n * n];
        Arrays.fill(board, '-');
    }

    /**
     * The move of the player `me`; NONE if the board is full. The six neighbours of (row, col) are (row, col-1), (row, col+1),
     * (row-1, col), (row+1, col), (row-1, col+1) and (row+1, col-1).
     */
    int choose(char me) {
        List<Integer> empty = new ArrayList<>();
        for (int at = 0; at < board.length; at++) {
            if (board[at] == '-') {
                empty.add(at);
            }
        }
        // your idea goes here: this is any empty cell
        return empty.isEmpty() ? NONE : empty.get(dice.nextInt(empty.size()));
    }

    /** Whether to take the opponent's first stone: then you are white from now on, and the opponent moves next as black. */
    boolean wantsSwap(int first) {
        int row = first / n, col = first % n;
        // your idea goes here: this takes stones that are not near an edge
        return row > 1 && row < n - 2 && col > 1 && col < n - 2;
    }

    /** Reads lines until one is a move that is possible; NONE when there are no more lines. `swap` may be played on again. */
    int readMove(int swap) throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            int at = cell(line);
            if (at != NONE && (board[at] == '-' || at == swap)) {
                return at;
            }
            System.err.println("invalid move; send another, as: row col");
        }
        return NONE;
    }

    /** The cell that a line names, or NONE. */
    int cell(String line) {
        Scanner words = new Scanner(line);
        int row = words.hasNextInt() ? words.nextInt() : NONE;
        int col = words.hasNextInt() ? words.nextInt() : NONE;
        return row >= 0 && row < n && col >= 0 && col < n && !words.hasNext() ? row * n + col : NONE;
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
        int first = NONE;
        for (int ply = 1;; ply++) {
            int swap = ply == 2 ? first : NONE;
            int move = turn != me ? readMove(swap) : swap != NONE && wantsSwap(swap) ? swap : choose(me);
            if (move == NONE) {
                return; // the game is over
            }
            if (turn == me) {
                System.out.println(move / n + " " + move % n);
                System.out.flush(); // or the move could wait in a buffer, and the opponent for ever
            }
            if (move == swap) {
                me = other(me); // a swap: the stone stays white, and it is still black's turn
            } else {
                board[move] = turn;
                turn = other(turn);
            }
            if (ply == 1) {
                first = move;
            }
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
