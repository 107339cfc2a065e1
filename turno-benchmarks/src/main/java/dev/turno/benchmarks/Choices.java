package dev.turno.benchmarks;

import dev.turno.benchmarks.run.Scale;
import dev.turno.testkit.database.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The command line.
 *
 * @param what the name of a workload, {@code all}, or {@code report}
 * @param files behind {@code report}: the results to be told
 * @param out where results are written; a run of everything has a place of its own unless told otherwise
 */
record Choices(String what, List<Path> files, Scale scale, boolean json, TestDatabase database, Optional<Path> out) {

    static final String USAGE = """
            usage: ./turno bench NAME|all [--quick] [--json] [--db DATABASE] [--out FILE]
                   ./turno bench report FILE...
              --quick   best peer only, at most 100,000 rows, no growth: a quarter of an hour for all
              --tiny    only to see that it runs: the figures mean nothing
              --json    a line per figure, last the ratios and goals
              --db      postgresql (if nothing is said), mariadb or h2, where the peers support it
              --out     the file to which the results are added as lines of JSON
            report writes docs/performance.md from the results of a run of all, and of further ones on other databases""";

    static Choices of(List<String> args) {
        Deque<String> left = new ArrayDeque<>(args);
        List<String> words = new ArrayList<>();
        Scale scale = Scale.FULL;
        boolean json = false;
        TestDatabase database = TestDatabase.POSTGRESQL;
        Optional<Path> out = Optional.empty();
        while (!left.isEmpty()) {
            String word = left.pop();
            switch (word) {
                case "--quick" -> scale = Scale.QUICK;
                case "--tiny" -> scale = Scale.TINY;
                case "--json" -> json = true;
                case "--db" -> database = database(value(word, left));
                case "--out" -> out = Optional.of(Path.of(value(word, left)));
                default -> words.add(word);
            }
        }
        return of(words, scale, json, database, out);
    }

    private static Choices of(
            List<String> words, Scale scale, boolean json, TestDatabase database, Optional<Path> out) {
        boolean report = !words.isEmpty() && words.get(0).equals("report");
        boolean asMany = report ? words.size() > 1 : words.size() == 1;
        if (!asMany || words.get(0).startsWith("-")) {
            throw new IllegalArgumentException(
                    words.isEmpty() ? "no workload named" : "cannot run " + String.join(" ", words));
        }
        List<Path> files = words.stream().skip(1).map(Path::of).toList();
        return new Choices(words.get(0), files, scale, json, database, out);
    }

    private static String value(String option, Deque<String> left) {
        if (left.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return left.pop();
    }

    private static TestDatabase database(String name) {
        return Arrays.stream(TestDatabase.values())
                .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no database is called " + name));
    }

    /** The same for one workload, as another process is told. */
    List<String> forOne(Workload workload, Path results) {
        List<String> words =
                new ArrayList<>(List.of(workload.name(), "--db", database.name().toLowerCase(Locale.ROOT)));
        words.addAll(List.of("--out", results.toString()));
        if (scale != Scale.FULL) {
            words.add("--" + scale.name().toLowerCase(Locale.ROOT));
        }
        if (json) {
            words.add("--json");
        }
        return words;
    }
}
