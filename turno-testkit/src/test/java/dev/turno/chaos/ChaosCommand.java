package dev.turno.chaos;

import dev.turno.command.Options;
import dev.turno.simulation.Broken;
import dev.turno.testkit.chaos.Fault;
import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** {@code ./turno chaos}. */
public final class ChaosCommand {

    private static final Duration A_DAY = Duration.ofDays(1);

    private ChaosCommand() {}

    public static void main(String[] arguments) throws Exception {
        System.exit(Options.run(arguments, ChaosCommand::run));
    }

    private static int run(Options options) throws Exception {
        if (options.flag("--report")) {
            options.end();
            Report.write();
            return 0;
        }
        return options.flag("--broken-builds") ? brokenBuilds(options) : storm(options);
    }

    private static int brokenBuilds(Options options) throws Exception {
        TestDatabase kind = kind(options);
        List<Broken> rules = options.some("--broken", Broken.class);
        Duration time = seconds(options, "--seconds", 30, 1);
        long seed = seed(options);
        options.require(!rules.equals(List.of(Broken.NOTHING)), "--broken nothing leaves nothing out: name a rule.");
        options.end();
        return BrokenBuilds.areCaught(kind, rules, time, seed) ? 0 : 1;
    }

    private static int storm(Options options) throws Exception {
        ChaosRun.Wish wish = wish(options);
        options.end();
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
        return verdict.isRight() ? 0 : 1;
    }

    private static TestDatabase kind(Options options) {
        return options.one("--db", TestDatabase.POSTGRESQL);
    }

    private static long seed(Options options) {
        return options.number("--seed", 1, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static Duration seconds(Options options, String name, long usual, long least) {
        return Duration.ofSeconds(options.number(name, usual, least, A_DAY.toSeconds()));
    }

    private static ChaosRun.Wish wish(Options options) {
        ChaosRun.Wish wish = ChaosRun.Wish.of(
                        kind(options),
                        options.some("--workload", Workload.Kind.class),
                        seconds(options, "--seconds", 60, 1),
                        seed(options))
                .without(options.one("--broken", Broken.NOTHING))
                .atRate((int) options.number("--rate", ChaosRun.Wish.USUAL_RATE, 1, 100_000))
                .awayFor(seconds(options, "--away", 0, 0))
                .onSmallDisk((int) options.number("--disk", 0, 0, 100_000))
                .onlyWith(options.some("--faults", Fault.class));
        if (!options.flag("--inside")) {
            return wish;
        }
        options.require(
                wish.kind() == TestDatabase.H2 && wish.smallDisk() == 0,
                "--inside is for --db h2 without --disk: no other database lives inside of a process.");
        return wish.withDatabaseInside();
    }
}
