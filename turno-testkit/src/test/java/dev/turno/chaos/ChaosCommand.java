package dev.turno.chaos;

import dev.turno.simulation.Broken;
import dev.turno.testkit.chaos.Fault;
import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** {@code ./turno chaos}. */
public final class ChaosCommand {

    private ChaosCommand() {}

    public static void main(String[] arguments) throws Exception {
        List<String> words = List.of(arguments);
        if (words.contains("--report")) {
            Report.write();
            return;
        }
        if (words.contains("--broken-builds")) {
            System.exit(areCaught(words) ? 0 : 1);
        }
        ChaosRun.Wish wish = wish(words);
        System.out.printf(
                "chaos: %s%s, %d s, seed %d, workloads %s%s%n",
                wish.kind().name().toLowerCase(Locale.ROOT),
                wish.inside() ? " inside its only process" : "",
                wish.time().toSeconds(),
                wish.seed(),
                wish.workloads().stream().map(Workload.Kind::word).toList(),
                wish.broken() == Broken.NOTHING ? "" : ", without " + wish.broken());
        Verdict verdict = ChaosRun.run(wish);
        System.out.println(verdict);
        Report.keep(verdict);
        System.exit(verdict.isRight() ? 0 : 1);
    }

    private static boolean areCaught(List<String> words) throws Exception {
        return BrokenBuilds.areCaught(
                kind(words),
                words.contains("--broken") ? List.of(broken(words)) : List.of(Broken.values()),
                Duration.ofSeconds(number(words, "--seconds", 30)),
                number(words, "--seed", 1));
    }

    private static TestDatabase kind(List<String> words) {
        return TestDatabase.valueOf(option(words, "--db", "postgresql").toUpperCase(Locale.ROOT));
    }

    private static Broken broken(List<String> words) {
        return Broken.valueOf(option(words, "--broken", "nothing").toUpperCase(Locale.ROOT));
    }

    private static ChaosRun.Wish wish(List<String> words) {
        ChaosRun.Wish wish = ChaosRun.Wish.of(
                        kind(words),
                        Workload.named(option(words, "--workload", "all")),
                        Duration.ofSeconds(number(words, "--seconds", 60)),
                        number(words, "--seed", 1))
                .without(broken(words))
                .atRate(number(words, "--rate", 800))
                .awayFor(Duration.ofSeconds(number(words, "--away", 0)))
                .onSmallDisk(number(words, "--disk", 0));
        if (words.contains("--inside")) {
            wish = wish.withDatabaseInside();
        }
        String faults = option(words, "--faults", "");
        return faults.isEmpty()
                ? wish
                : wish.onlyWith(Stream.of(faults.split(",", -1))
                        .map(word -> Fault.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_')))
                        .toList());
    }

    private static int number(List<String> words, String name, int usual) {
        return Integer.parseInt(option(words, name, Integer.toString(usual)));
    }

    private static String option(List<String> words, String name, String usual) {
        int place = words.indexOf(name);
        return place >= 0 && place + 1 < words.size() ? words.get(place + 1) : usual;
    }
}
