/*
 * A Hex player that plays any legal move, each with the same chance.
 *
 * Build:  nothing to build, or: javac Random.java
 * Start:  java Random.java b     plays white, which joins the first row to the last and moves first
 *         java Random.java p     plays black, which joins the first column to the last
 *         java Random.java b d   the same, and shows the board on stderr after every move
 *
 * Type the opponent's moves as "row col", both from 0; end with Ctrl-D. ARBITRO_SIZE is the size of
 * the board (2 to 26, 14 if not set). The same ARBITRO_SEED, any text, gives the same choices.
 * ARBITRO_OPENING, such as "2 3, 7 7", has the first moves, both sides' in turn; ours are played
 * where they are legal. Needs Java 11 or newer.
 */
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Random {
    static final String USAGE = "usage: java Random.java b|p [d]   (with ARBITRO_SIZE not set, or from 2 to 26)";
    static final Pattern MOVE = Pattern.compile("\\s*(\\d{1,8})\\s+(\\d{1,8})\\s*");
    static final int NONE = -1;

    /* A cell is a number, row * n + col; the board has one letter for each: b, p or - for empty. */
    final int n;
    final char[] board;
    char turn = 'b';
    int ply = 1;
    /* The one stone that may be played on again, which only ply 2 allows, or NONE. */
    int swap = NONE;

    Random(int n) {
        this.n = n;
        board = new char[n * n];
        Arrays.fill(board, '-');
    }

    static char other(char side) {
        return side == 'b' ? 'p' : 'b';
    }

    /* A generator of our own, the same in all languages. */
    static class Dice {
        long state;

        Dice(char me) {
            // The colour goes into the seed so that two of us in one game do not choose alike.
            state = me;
            String seed = System.getenv().getOrDefault("ARBITRO_SEED", Long.toString(System.nanoTime()));
            for (byte letter : seed.getBytes(StandardCharsets.UTF_8)) {
                state = state * 31 + (letter & 0xff);
            }
        }

        int roll(int sides) {
            // The low bits repeat too soon to be of use.
            state = state * 6364136223846793005L + 1442695040888963407L;
            return (int) ((state >>> 33) % sides);
        }
    }

    /* The legal move that a text is, or NONE. */
    int legal(String text) {
        Matcher match = MOVE.matcher(text);
        if (!match.matches()) {
            return NONE;
        }
        int row = Integer.parseInt(match.group(1)), col = Integer.parseInt(match.group(2));
        if (row >= n || col >= n) {
            return NONE;
        }
        int at = row * n + col;
        return board[at] == '-' || at == swap ? at : NONE;
    }

    /* Plays a move; true if it was a swap, after which the players change seats. */
    boolean play(int at) {
        boolean swapped = at == swap;
        if (!swapped) {
            board[at] = turn;
            turn = other(turn);
        }
        swap = ply == 1 ? at : NONE;
        ply++;
        return swapped;
    }

    /* Whether the group of stones at a cell touches both edges of its colour. */
    boolean connects(int start) {
        int[][] around = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {1, -1}, {-1, 1}};
        boolean[] seen = new boolean[n * n], lines = new boolean[n];
        ArrayDeque<Integer> open = new ArrayDeque<>(List.of(start));
        seen[start] = true;
        while (!open.isEmpty()) {
            int at = open.pop(), row = at / n, col = at % n;
            lines[board[start] == 'b' ? row : col] = true;
            for (int[] step : around) {
                int r = row + step[0], c = col + step[1], near = r * n + c;
                if (r >= 0 && r < n && c >= 0 && c < n && board[near] == board[start] && !seen[near]) {
                    seen[near] = true;
                    open.push(near);
                }
            }
        }
        return lines[0] && lines[n - 1];
    }

    int choose(Dice dice) {
        if (swap != NONE && dice.roll(2) == 1) {
            return swap;
        }
        List<Integer> empty = new ArrayList<>();
        for (int at = 0; at < board.length; at++) {
            if (board[at] == '-') {
                empty.add(at);
            }
        }
        return empty.get(dice.roll(empty.size()));
    }

    void show() {
        for (int row = 0; row < n; row++) {
            System.err.println(new String(board, row * n, n).replaceAll("(?<=.)(?=.)", " "));
        }
    }

    public static void main(String[] args) throws IOException {
        String size = System.getenv().getOrDefault("ARBITRO_SIZE", "14");
        int n = size.matches("\\d{1,2}") ? Integer.parseInt(size) : 0;
        if (!String.join(" ", args).matches("[bp]( d)?") || n < 2 || n > 26) {
            System.err.println(USAGE);
            System.exit(2);
        }
        char me = args[0].charAt(0);
        Dice dice = new Dice(me);
        Random hex = new Random(n);
        String[] opening = System.getenv().getOrDefault("ARBITRO_OPENING", "").split(",");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (int at = NONE; at == NONE || !hex.connects(at);) {
            at = NONE;
            if (hex.turn == me) {
                at = hex.ply <= opening.length ? hex.legal(opening[hex.ply - 1]) : NONE;
                at = at == NONE ? hex.choose(dice) : at;
                System.out.println(at / n + " " + at % n);
                // Without the flush the move might wait in a buffer, and the opponent for ever.
                System.out.flush();
            }
            while (at == NONE) {
                String line = input.readLine();
                if (line == null) {
                    return;
                }
                at = hex.legal(line);
                if (at == NONE) {
                    System.err.println("invalid move; send another, as: row col");
                }
            }
            if (hex.play(at)) {
                me = other(me);
            }
            if (args.length == 2) {
                hex.show();
            }
        }
    }
}
