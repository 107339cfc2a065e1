package dev.turno.chaos;

import dev.turno.simulation.Broken;
import dev.turno.testkit.chaos.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Keeps what the latest runs have shown, and writes it into the page about reliability: {@code ./turno chaos --report}. */
final class Report {

    private static final Duration AT_LENGTH = Duration.ofMinutes(1);
    private static final Path PAGE = Path.of("docs", "reliability.md");
    private static final Path ROOT = root(Path.of("").toAbsolutePath());
    private static final Path KEPT = ROOT.resolve(Path.of("turno-testkit", "target", "chaos"));
    private static final String BEGIN = "<!-- written by ./turno chaos --report: begin -->\n";
    private static final String END = "<!-- written by ./turno chaos --report: end -->\n";
    private static final List<Wrong> COLUMNS = List.of(
            Wrong.LOST,
            Wrong.STUCK,
            Wrong.TWICE,
            Wrong.ACCEPTED_TWICE,
            Wrong.STALE_ACCEPTED,
            Wrong.GONE,
            Wrong.OUT_OF_ORDER,
            Wrong.TWO_HOLDERS);

    private static final Set<String> LEFT_OUT =
            Stream.of(Broken.values()).map(Report::words).collect(Collectors.toSet());

    private Report() {}

    /** The folder of the whole project: the command may have been started in one of its modules. */
    private static Path root(Path folder) {
        Path above = folder.getParent();
        return above == null || Files.exists(folder.resolve(PAGE)) ? folder : root(above);
    }

    /** Only what was whole and long: all workloads, all faults, nothing taken out. */
    static void keep(Verdict verdict) throws IOException {
        ChaosRun.Wish wish = verdict.wish();
        if (!wish.away().isZero()) {
            keep("away-" + name(wish), away(verdict, "--away " + wish.away().toSeconds()));
        } else if (wish.faults().equals(Set.of(Fault.DISK_FULL))) {
            keep("disk-" + name(wish), away(verdict, "--disk " + wish.smallDisk() + " --faults disk-full"));
        } else if (isWhole(wish)) {
            keep("safe-" + named(wish), safety(verdict));
            keep("quick-" + named(wish), recovery(verdict));
            keep("kinds-" + named(wish), kinds(verdict));
        }
    }

    private static boolean isWhole(ChaosRun.Wish wish) {
        return wish.broken() == Broken.NOTHING
                && wish.time().compareTo(AT_LENGTH) >= 0
                && wish.workloads().size() == Workload.Kind.values().length
                && wish.faults().size() == Fault.values().length;
    }

    private static String safety(Verdict verdict) {
        ChaosRun.Wish wish = verdict.wish();
        return "| %s, `%s--seconds %d%s --seed %d` | %,d | %d | %s | %,d |%n"
                .formatted(
                        name(wish),
                        wish.inside() ? "--inside " : "",
                        wish.time().toSeconds(),
                        wish.rate() == ChaosRun.Wish.USUAL_RATE ? "" : " --rate " + wish.rate(),
                        wish.seed(),
                        verdict.items(),
                        verdict.faultCount(),
                        COLUMNS.stream()
                                .map(wrong -> Integer.toString(verdict.count(wrong)))
                                .collect(Collectors.joining(" | ")),
                        verdict.refused());
    }

    private static String recovery(Verdict verdict) {
        return "| %s | %s | %s | %s | %s | %,d |%n"
                .formatted(
                        named(verdict.wish()),
                        Verdict.spread(verdict.afterKills()),
                        verdict.longestAbsence(),
                        Verdict.spread(verdict.afterDatabase()),
                        verdict.bounds(),
                        verdict.redone());
    }

    private static String kinds(Verdict verdict) {
        String items = verdict.findings().stream()
                .filter(one -> !one.workload().equals("holders"))
                .map(one -> "%s %,d".formatted(one.workload(), one.items()))
                .collect(Collectors.joining(", "));
        String faults = verdict.faults().entrySet().stream()
                .map(one -> words(one.getKey()) + " " + one.getValue())
                .collect(Collectors.joining(", "));
        return "- %s: %s; %s%n".formatted(named(verdict.wish()), items, faults);
    }

    private static String away(Verdict verdict, String options) {
        return "| %s, `%s --rate %d --seed %d` | %,d | %s | %s |%n"
                .formatted(
                        name(verdict.wish()),
                        options,
                        verdict.wish().rate(),
                        verdict.wish().seed(),
                        verdict.items(),
                        found(verdict),
                        verdict.resumed().stream()
                                .map(Duration::toMillis)
                                .map(ms -> ms + " ms")
                                .collect(Collectors.joining(", ")));
    }

    /** What became of a build from which a rule was taken out, and of the whole product under the same faults. */
    static void caught(Verdict verdict, Wrong prevented, Verdict whole) throws IOException {
        ChaosRun.Wish wish = verdict.wish();
        String row = "| %s | %s | %s | %s | %d in %d s | %s | %s |%n"
                .formatted(
                        name(wish),
                        words(wish.broken()),
                        wish.workloads().stream().map(Workload.Kind::word).collect(Collectors.joining(", ")),
                        wish.faults().stream().map(Report::words).collect(Collectors.joining(", ")),
                        verdict.faultCount(),
                        wish.time().toSeconds(),
                        foundWithout(verdict, prevented),
                        found(whole));
        System.out.print(row);
        keep("broken-" + name(wish) + "-" + wish.broken(), row);
    }

    private static String foundWithout(Verdict verdict, Wrong prevented) {
        if (!verdict.broken()) {
            return "NOT LEFT OUT";
        }
        String found = verdict.found().isEmpty() ? "nothing" : verdict.found();
        return verdict.isCaughtBy(prevented) ? found : "NOT CAUGHT: " + found + ", but not " + prevented;
    }

    private static String found(Verdict verdict) {
        return verdict.isRight() ? "nothing" : "WRONG: " + verdict.found();
    }

    private static String words(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String named(ChaosRun.Wish wish) {
        String rate = wish.rate() == ChaosRun.Wish.USUAL_RATE ? "" : " at " + wish.rate() + " a second";
        return name(wish) + rate;
    }

    private static String name(ChaosRun.Wish wish) {
        return switch (wish.kind()) {
            case H2 -> wish.inside() ? "H2 inside its only process" : "H2";
            case POSTGRESQL -> "PostgreSQL";
            case MARIADB -> "MariaDB";
        };
    }

    private static void keep(String name, String text) throws IOException {
        Files.createDirectories(KEPT);
        Files.writeString(KEPT.resolve(name), text);
    }

    /** Puts what was kept in the place of what stood there; what this checkout has not run stays as it stands. */
    static void write() throws IOException {
        String page = Files.readString(ROOT.resolve(PAGE));
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalStateException(PAGE + " has no place for the report; it begins with " + BEGIN);
        }
        int place = begin + BEGIN.length();
        Files.writeString(
                ROOT.resolve(PAGE), page.substring(0, place) + text(page.substring(place, end)) + page.substring(end));
        System.out.println("written to " + PAGE);
    }

    private static String text(String before) throws IOException {
        String wrongs = COLUMNS.stream().map(Wrong::toString).collect(Collectors.joining(" | "));
        return table(before, "| database | items | faults | " + wrongs + " | stale writes refused |", kept("safe-"))
                + table(
                        before,
                        "| database | taken over after a kill | the database away for at most | gone on after the database's return | bounds of an idle machine | pages begun again |",
                        kept("quick-"))
                + "\nItems and faults:\n\n"
                + String.join("", merged(rows(before, "Items and faults:", "- "), kept("kinds-")))
                + table(before, "| database | items | found | every workload went on after |", kept("away-", "disk-"))
                + table(
                        before,
                        "| certification on | requests | faults | found | asked again, under the same key |",
                        kept("certification-"))
                + table(
                        before,
                        "| database | left out | workload | faults | of them | found | found of the whole product |",
                        kept("broken-"))
                + "\n";
    }

    /** Nothing without rows. */
    private static String table(String before, String head, List<String> newer) {
        Collection<String> rows = merged(rows(before, head, "| "), newer);
        long columns = head.chars().filter(c -> c == '|').count() - 1;
        return rows.isEmpty() ? "" : "\n" + head + "\n|" + "---|".repeat((int) columns) + "\n" + String.join("", rows);
    }

    /** Those that stand under a heading and begin so. */
    static List<String> rows(String text, String heading, String beginning) {
        int place = text.indexOf(heading);
        return place < 0
                ? List.of()
                : text.substring(place + heading.length())
                        .lines()
                        .dropWhile(line -> !line.startsWith(beginning))
                        .takeWhile(line -> line.startsWith(beginning))
                        .map(line -> line + "\n")
                        .toList();
    }

    static Collection<String> merged(List<String> older, List<String> newer) {
        TreeMap<String, String> rows = new TreeMap<>();
        Stream.concat(older.stream(), newer.stream()).forEach(row -> rows.put(key(row), row));
        return rows.values();
    }

    /** Of what it tells: the same command with other numbers is a newer row of the same. What was left out of a product is part of it. */
    private static String key(String row) {
        String[] cells = row.split("[|:]", -1);
        boolean isOfBroken = cells.length > 2 && LEFT_OUT.contains(cells[2].strip());
        return cells[row.startsWith("|") ? 1 : 0].replaceAll("[0-9]+", "") + (isOfBroken ? cells[2] : "");
    }

    private static List<String> kept(String... beginnings) throws IOException {
        List<String> rows = new ArrayList<>();
        if (!Files.isDirectory(KEPT)) {
            return rows;
        }
        try (Stream<Path> all = Files.list(KEPT)) {
            List<Path> files = all.filter(
                            file -> Stream.of(beginnings).anyMatch(String.valueOf(file.getFileName())::startsWith))
                    .toList();
            for (Path file : files) {
                rows.add(Files.readString(file));
            }
        }
        return rows;
    }
}
