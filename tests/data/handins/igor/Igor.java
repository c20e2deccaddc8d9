import java.util.*;

/** UCT with a node per position. */
public class Igor {
    static int n = Integer.parseInt(System.getenv().getOrDefault("ARBITRO_SIZE", "14"));
    static Random dice = new Random(System.getenv().getOrDefault("ARBITRO_SEED", "1").hashCode());

    static class Node {
        int move, visits, mover;
        double wins;
        Node parent;
        List<Node> children = new ArrayList<>();
        List<Integer> untried;

        Node(Node parent, int move, int mover, byte[] cells) {
            this.parent = parent;
            this.move = move;
            this.mover = mover;
            untried = new ArrayList<>();
            for (int i = 0; i < cells.length; i++) if (cells[i] == 0) untried.add(i);
            Collections.shuffle(untried, dice);
        }

        Node select() {
            Node best = null;
            double top = Double.NEGATIVE_INFINITY;
            for (Node child : children) {
                double value = child.wins / child.visits + 0.7 * Math.sqrt(Math.log(visits) / child.visits);
                if (value > top) { top = value; best = child; }
            }
            return best;
        }
    }

    static boolean whiteWins(byte[] cells) {
        boolean[] seen = new boolean[n * n];
        Deque<Integer> queue = new ArrayDeque<>();
        for (int c = 0; c < n; c++) if (cells[c] == 1) { queue.add(c); seen[c] = true; }
        while (!queue.isEmpty()) {
            int at = queue.poll();
            int r = at / n, c = at % n;
            if (r == n - 1) return true;
            int[][] near = {{r - 1, c}, {r - 1, c + 1}, {r, c - 1}, {r, c + 1}, {r + 1, c - 1}, {r + 1, c}};
            for (int[] p : near) {
                if (p[0] < 0 || p[0] >= n || p[1] < 0 || p[1] >= n) continue;
                int q = p[0] * n + p[1];
                if (!seen[q] && cells[q] == 1) { seen[q] = true; queue.add(q); }
            }
        }
        return false;
    }

    static int search(byte[] cells, int me) {
        Node root = new Node(null, -1, 3 - me, cells);
        for (int round = 0; round < 400; round++) {
            byte[] copy = cells.clone();
            Node node = root;
            while (node.untried.isEmpty() && !node.children.isEmpty()) {
                node = node.select();
                copy[node.move] = (byte) node.mover;
            }
            if (!node.untried.isEmpty()) {
                int move = node.untried.remove(node.untried.size() - 1);
                int mover = 3 - node.mover;
                copy[move] = (byte) mover;
                Node child = new Node(node, move, mover, copy);
                node.children.add(child);
                node = child;
            }
            List<Integer> rest = new ArrayList<>();
            for (int i = 0; i < copy.length; i++) if (copy[i] == 0) rest.add(i);
            Collections.shuffle(rest, dice);
            int turn = 3 - node.mover;
            for (int cell : rest) { copy[cell] = (byte) turn; turn = 3 - turn; }
            int winner = whiteWins(copy) ? 1 : 2;
            for (; node != null; node = node.parent) {
                node.visits++;
                if (node.mover == winner) node.wins++;
            }
        }
        return root.children.stream().max(Comparator.comparingInt(c -> c.visits)).get().move;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        byte[] cells = new byte[n * n];
        int me = args[0].equals("b") ? 1 : 2, turn = 1, first = -1;
        for (int ply = 1; ; ply++) {
            int move;
            if (turn == me) {
                move = search(cells, me);
                System.out.println(move / n + " " + move % n);
            } else {
                if (!in.hasNextInt()) return;
                move = in.nextInt() * n + in.nextInt();
            }
            if (ply == 2 && move == first) { me = 3 - me; continue; }
            if (ply == 1) first = move;
            cells[move] = (byte) turn;
            turn = 3 - turn;
        }
    }
}
