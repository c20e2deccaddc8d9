// A Hex bot with one flaw, as students write them: java Flawed FLAW b|p
//
// Without its flaw it is sound: it plays a line of stones towards itself, marks every stone, and knows the swap.
import java.util.Scanner;

public class Flawed {
    static String flaw;
    static char me;
    static int n = 14, plies, lastRow, lastCol;
    static char[][] board;
    static Scanner in = new Scanner(System.in);
    static int[] best;

    static int[] choose() {
        if (flaw.equals("null-pointer") && plies == 1) return new int[] {best[0], best[1]};
        if (flaw.equals("stack-overflow")) return choose();
        if (flaw.equals("one-digit")) {
            for (int cell = 0; cell < n * n; cell++)
                if (board[cell / n][cell % n] == 0) return new int[] {cell / n, cell % n};
        }
        int middle = n / 2;
        int end = flaw.equals("off-by-one") ? n : n - 1;
        for (int i = end; i >= 0; i--) {
            int row = me == 'b' ? i : middle, col = me == 'b' ? middle : i;
            if (i == n || board[row][col] == 0) return new int[] {row, col};
        }
        for (int row = n - 1; row >= 0; row--)
            for (int col = n - 1; col >= 0; col--)
                if (board[row][col] == 0) return new int[] {row, col};
        return null;
    }

    static void say(int row, int col) {
        switch (flaw) {
            case "letters-and-numbers" -> System.out.println((char) ('a' + col) + "" + (row + 1));
            case "adds-a-char" -> System.out.println(row + ' ' + col);
            case "no-newline" -> { System.out.print(row + " " + col); System.out.flush(); }
            case "on-stderr" -> System.err.println(row + " " + col);
            case "empty-line-first" -> System.out.println("\n" + row + " " + col);
            case "array" -> System.out.println(new int[] {row, col});
            default -> System.out.println(row + " " + col);
        }
    }

    static void play() {
        int[] cell = choose();
        lastRow = cell[0];
        lastCol = cell[1];
        if (lastRow < n && lastCol < n) board[lastRow][lastCol] = me;
        plies++;
        say(lastRow, lastCol);
    }

    static int[] read() {
        if (flaw.equals("one-digit")) {
            String line = in.nextLine();
            return new int[] {line.charAt(0) - '0', line.charAt(2) - '0'};
        }
        if (flaw.equals("parses-the-line")) return new int[] {Integer.parseInt(in.nextLine()), 0};
        return new int[] {in.nextInt(), in.nextInt()};
    }

    public static void main(String[] args) {
        flaw = args[0];
        me = args[1].charAt(0);
        if (System.getenv("ARBITRO_SIZE") != null) n = Integer.parseInt(System.getenv("ARBITRO_SIZE"));
        board = new char[n][n];
        if (me == 'b' && !flaw.equals("reads-first")) play();
        while (flaw.equals("one-digit") || flaw.equals("parses-the-line") || in.hasNextInt()) {
            int[] cell = read();
            plies++;
            if (plies == 2 && me == 'b' && cell[0] == lastRow && cell[1] == lastCol) me = 'p';
            else if (cell[0] >= 0 && cell[1] >= 0) board[cell[0]][cell[1]] = me == 'b' ? 'p' : 'b';
            play();
        }
    }
}
