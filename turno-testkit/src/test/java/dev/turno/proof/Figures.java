package dev.turno.proof;

import dev.turno.testkit.database.TestDatabase;
import java.util.List;
import java.util.Locale;

/** How a proof says what it found. */
final class Figures {

    private Figures() {}

    /** One line on standard output. */
    static void say(String proof, TestDatabase database, String figures) {
        System.out.println("PROOF " + proof + " " + database.name().toLowerCase(Locale.ROOT) + ": " + figures);
    }

    static String spread(List<Long> millis) {
        List<Long> sorted = millis.stream().sorted().toList();
        return "p50 " + share(sorted, 0.5) + " p99 " + share(sorted, 0.99) + " max " + share(sorted, 1) + " ms";
    }

    private static long share(List<Long> sorted, double share) {
        return sorted.get((int) Math.min(sorted.size() - 1L, Math.round(sorted.size() * share)));
    }
}
