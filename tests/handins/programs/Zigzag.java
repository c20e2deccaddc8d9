package br.usp.hex;

import java.util.BitSet;
import java.util.Scanner;
import java.util.stream.IntStream;

/** Plays the rows in turn, one from the left and one from the right. */
public final class Zigzag {
    private static final int N = 14;
    private final BitSet busy = new BitSet(N * N);

    private int pick() {
        return IntStream.range(0, N * N)
                .map(k -> (k / N) % 2 == 0 ? k : (k / N) * N + (N - 1 - k % N))
                .filter(k -> !busy.get(k))
                .findFirst()
                .orElse(-1);
    }

    private boolean move() {
        int at = pick();
        if (at < 0) {
            return false;
        }
        busy.set(at);
        System.out.println((at / N) + " " + (at % N));
        return true;
    }

    public static void main(String[] args) {
        Zigzag bot = new Zigzag();
        boolean goesOn = !"b".equals(args[0]) || bot.move();
        try (Scanner in = new Scanner(System.in)) {
            while (goesOn && in.hasNextInt()) {
                bot.busy.set(in.nextInt() * N + in.nextInt());
                goesOn = bot.move();
            }
        }
    }
}
