import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** As honest.c: burns a known amount of processor time for every move. Usage: java Honest MS b|p */
public class Honest {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static void burn(long ns) {
        long end = THREADS.getCurrentThreadCpuTime() + ns;
        while (THREADS.getCurrentThreadCpuTime() < end) {
            // Time is all that is wanted.
        }
    }

    public static void main(String[] arguments) throws IOException {
        long perMove = (long) (Double.parseDouble(arguments[0]) * 1e6);
        boolean ours = arguments[1].equals("b");
        int size = Integer.parseInt(System.getenv().getOrDefault("ARBITRO_SIZE", "14"));
        boolean[] taken = new boolean[size * size];
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        int next = 0;
        while (true) {
            if (ours) {
                burn(perMove);
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
