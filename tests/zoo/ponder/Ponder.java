import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

/** Goes on thinking in two threads while it waits, and makes garbage, so that the collector thinks too. Usage: java Ponder b|p */
public class Ponder {
    private static void think() {
        List<byte[]> thoughts = new ArrayList<>();
        while (true) {
            thoughts.add(new byte[1000]);
            if (thoughts.size() == 10_000) {
                thoughts = new ArrayList<>();
            }
        }
    }

    public static void main(String[] arguments) throws IOException {
        boolean ours = arguments[0].equals("b");
        int size = Integer.parseInt(System.getenv().getOrDefault("ARBITRO_SIZE", "14"));
        boolean[] taken = new boolean[size * size];
        for (int count = 0; count < 2; count++) {
            Thread thread = new Thread(Ponder::think);
            thread.setDaemon(true);
            thread.start();
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        int next = 0;
        while (true) {
            if (ours) {
                while (taken[next]) {
                    next++;
                }
                taken[next] = true;
                System.out.println(next / size + " " + next % size);
                System.out.flush();
            }
            String line = input.readLine();
            if (line == null) {
                return;
            }
            String[] cell = line.trim().split(" ");
            taken[Integer.parseInt(cell[0]) * size + Integer.parseInt(cell[1])] = true;
            ours = true;
        }
    }
}
