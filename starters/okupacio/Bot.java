import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Scanner;

/**
 * An Okupació player to start from. It knows the rules and the protocol; how to think is up to you: see choose().
 *
 * Start:  java -cp . Bot A 3 board.txt     plays A, the first of three players, on the board in a file
 *         java -cp . Bot A 3 board.txt d   the same, and shows the board on stderr after every move
 */
public class Bot {
    /** A cell is a number: row * cols + col. */
    static final int NONE = -1;

    final int rows, cols;
    final char[] board; // '#' wall, '-' free, or the letter of who holds the cell
    final Random dice;
    final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

    Bot(Scanner file, Random dice) {
        this.dice = dice;
        rows = file.nextInt();
        cols = file.nextInt();
        board = new char[rows * cols];
        Arrays.fill(board, '-');
        int cell = 0;
        for (boolean isWall = false; file.hasNextInt(); isWall = !isWall) {
            int end = Math.min(board.length, cell + file.nextInt());
            Arrays.fill(board, cell, end, isWall ? '#' : '-');
            cell = end;
        }
    }

    /** The move of the player `me`. */
    int choose(char me) {
        List<Integer> free = heldBy('-');
        // your idea goes here: this is any free cell
        return free.get(dice.nextInt(free.size()));
    }

    List<Integer> heldBy(char who) {
        List<Integer> found = new ArrayList<>();
        for (int at = 0; at < board.length; at++) {
            if (board[at] == who) {
                found.add(at);
            }
        }
        return found;
    }

    /** The number of a cell; NONE if it is off the board. */
    int cell(int row, int col) {
        return row >= 0 && row < rows && col >= 0 && col < cols ? row * cols + col : NONE;
    }

    /** The cells beside a cell; walls are not among them. */
    List<Integer> around(int at) {
        List<Integer> found = new ArrayList<>();
        for (int[] step : new int[][] {{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
            int near = cell(at / cols + step[0], at % cols + step[1]);
            if (near != NONE && board[near] != '#') {
                found.add(near);
            }
        }
        return found;
    }

    /** Whether a cell, beside one that the player `who` has just occupied, becomes the player's too. */
    boolean isTaken(int at, char who) {
        List<Integer> near = around(at);
        List<Integer> others = new ArrayList<>(near);
        others.removeIf(cell -> board[cell] == who);
        if (others.isEmpty()) {
            return true;
        }
        if (near.size() < 3 || others.size() > 1) {
            return false;
        }
        return board[at] == '-' || near.size() == 4 && board[others.get(0)] != board[at];
    }

    /** A player occupies a cell, and takes the cells beside it that it closes in. */
    void occupy(int at, char who) {
        board[at] = who;
        List<Integer> taken = around(at);
        taken.removeIf(near -> board[near] == who || !isTaken(near, who));
        for (int near : taken) {
            board[near] = who;
        }
    }

    /** The cells of one who leaves are free again. */
    void leave(char who) {
        for (int at : heldBy(who)) {
            board[at] = '-';
        }
    }

    /** Reads lines until one can be what the player `who` has done; null when there are no more lines. */
    String readNews(char who) throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.trim().split("\\s+");
            if (words.length == 2 && words[0].equals(String.valueOf(who)) && (leaves(words[1]) || isFree(words[1]))) {
                return words[1];
            }
            System.err.println("invalid; send another, as: " + who + " ab");
        }
        return null;
    }

    static boolean leaves(String what) {
        return what.equals("00") || what.equals("--");
    }

    boolean isFree(String word) {
        int at = word.length() == 2 ? cellOf(word) : NONE;
        return at != NONE && board[at] == '-';
    }

    int cellOf(String word) {
        return cell(word.charAt(0) - 'a', word.charAt(1) - 'a');
    }

    String wordOf(int at) {
        return "" + (char) ('a' + at / cols) + (char) ('a' + at % cols);
    }

    void show() {
        for (int row = 0; row < rows; row++) {
            String cells = new String(board, row * cols, cols);
            System.err.println(String.join(" ", cells.split("")));
        }
    }

    void run(char me, int players, boolean shows) throws IOException {
        StringBuilder inGame = new StringBuilder("ABCDEFGHIJ".substring(0, players));
        for (int turn = 0; inGame.length() > 1 && !heldBy('-').isEmpty(); turn %= inGame.length()) {
            char who = inGame.charAt(turn);
            String what = who == me ? wordOf(choose(me)) : readNews(who);
            if (what == null) {
                return; // the game is over
            }
            if (who == me) {
                System.out.println(what);
                System.out.flush(); // or the move could wait in a buffer, and the others for ever
            }
            if (leaves(what)) {
                leave(who);
                inGame.deleteCharAt(turn); // the next one moves up
            } else {
                occupy(cellOf(what), who);
                turn++;
            }
            if (shows) {
                show();
            }
        }
    }

    public static void main(String[] args) throws IOException {
        if (args.length < 3) {
            System.err.println("usage: java -cp . Bot LETTER PLAYERS BOARDFILE [d]");
            System.exit(2);
        }
        // The same seed gives the same game.
        String seed = System.getenv("ARBITRO_SEED");
        Random dice = seed == null ? new Random() : new Random(Long.parseUnsignedLong(seed));
        Bot bot = new Bot(new Scanner(Path.of(args[2])), dice);
        bot.run(args[0].charAt(0), Integer.parseInt(args[1]), args.length > 3 && args[3].equals("d"));
    }
}
