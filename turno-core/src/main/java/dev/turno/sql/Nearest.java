package dev.turno.sql;

import java.util.Collection;
import java.util.Comparator;

/** Helps those who mistyped a name. It has nothing to do with SQL, but all rooms may come here, and nobody from outside. */
public final class Nearest {

    private Nearest() {}

    /** For example {@code Did you mean 'harvest'? Known are: harvest, index.} */
    public static String of(String wrong, Collection<String> known) {
        if (known.isEmpty()) {
            return "None is known.";
        }
        String nearest = known.stream()
                .min(Comparator.comparingInt(name -> distance(wrong, name)))
                .orElseThrow();
        return "Did you mean '" + nearest + "'? Known are: " + String.join(", ", known) + ".";
    }

    private static int distance(String a, String b) {
        int[] before = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] now = new int[b.length() + 1];
            now[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = before[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                now[j] = Math.min(replaced, Math.min(before[j], now[j - 1]) + 1);
            }
            before = now;
        }
        return before[b.length()];
    }
}
