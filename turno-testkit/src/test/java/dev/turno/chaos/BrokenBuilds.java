package dev.turno.chaos;

import dev.turno.simulation.Broken;
import dev.turno.testkit.chaos.Fault;
import dev.turno.testkit.database.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The product with one rule taken out at a time, each with the work and the faults that need the rule: all of them have to be caught. The
 * whole product goes through the very same, and nothing may be found of it.
 */
final class BrokenBuilds {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int SLOW_ONES = 16;
    private static final ChaosRun.Aim OFTEN =
            new ChaosRun.Aim(20, Duration.ofMillis(3_500), SLOW_ONES, PATIENCE, Broken.NOTHING);

    /**
     * So long that the others have declared it dead for a while, when what was on its way arrives; and they are slow, so that
     * something is left for it to take.
     */
    private static final ChaosRun.Aim LONG = new ChaosRun.Aim(1, Duration.ofSeconds(7), 1, PATIENCE, Broken.NOTHING);

    /** As long, and what is about to take stands just before its question whenever that happens. */
    private static final ChaosRun.Aim ABOUT_TO_TAKE =
            new ChaosRun.Aim(1, Duration.ofSeconds(7), 1, PATIENCE, Broken.NO_REAPED_CHECK_IN_TAKE);

    /** It goes on when what it had in hand has just been taken over, and the others are still at it. */
    private static final ChaosRun.Aim PASSED_ON =
            new ChaosRun.Aim(1, Duration.ofSeconds(1), 2, PATIENCE, Broken.NOTHING);

    /**
     * What is done, what happens meanwhile, and the rules that make the difference, with what has to be found without them.
     *
     * @param databases where the rules make it
     * @param rate items in a second: more than can be done, where there has to be something to do at every moment
     */
    private record Scene(
            Set<TestDatabase> databases,
            List<Workload.Kind> workloads,
            List<Fault> faults,
            ChaosRun.Aim aim,
            int rate,
            Map<Broken, Wrong> rules) {

        Scene(List<Workload.Kind> workloads, List<Fault> faults, ChaosRun.Aim aim, int rate, Map<Broken, Wrong> rules) {
            this(EnumSet.allOf(TestDatabase.class), workloads, faults, aim, rate, rules);
        }

        boolean isFor(TestDatabase kind, List<Broken> wished) {
            return databases.contains(kind) && wished.stream().anyMatch(rules::containsKey);
        }
    }

    private static final List<Scene> SCENES = List.of(
            // Frozen for longer than the lease, it goes on as if nothing had happened.
            new Scene(
                    List.of(Workload.Kind.INBOX),
                    List.of(Fault.FREEZE),
                    PASSED_ON,
                    100,
                    Map.of(Broken.NO_FENCE_CHECK, Wrong.TWICE, Broken.NO_REAPED_CHECK_IN_RENEW, Wrong.DEAD_RENEWED)),
            // It did something, and was never told: there is always a finish on its way.
            new Scene(
                    List.of(Workload.Kind.INBOX, Workload.Kind.BATCHED),
                    List.of(Fault.LOST_ANSWERS),
                    OFTEN,
                    5_000,
                    Map.of(
                            Broken.NO_STATUS_CHECK,
                            Wrong.ACCEPTED_TWICE,
                            Broken.NO_IDEMPOTENT_FINISH,
                            Wrong.CALLED_LOST)),
            // A take that was under way when the line was cut arrives when its sender has been dead for long. It is one
            // statement on PostgreSQL, and several on H2, whose driver waits for answers for longer than a cut lasts.
            new Scene(
                    EnumSet.of(TestDatabase.POSTGRESQL, TestDatabase.H2),
                    List.of(Workload.Kind.BATCHED),
                    List.of(Fault.PARTITION),
                    LONG,
                    5_000,
                    Map.of(Broken.NO_REAPED_CHECK_IN_TAKE, Wrong.TAKEN_BY_THE_DEAD)),
            // On MariaDB, too, it is several, but whoever asked has given up the connection before the cut is over: a
            // take that was cut has no end, with the rule or without. Only who was frozen just before it asked goes on.
            new Scene(
                    EnumSet.of(TestDatabase.MARIADB),
                    List.of(Workload.Kind.BATCHED),
                    List.of(Fault.FREEZE),
                    ABOUT_TO_TAKE,
                    400,
                    Map.of(Broken.NO_REAPED_CHECK_IN_TAKE, Wrong.TAKEN_BY_THE_DEAD)),
            new Scene(
                    List.of(Workload.Kind.BUFFERS, Workload.Kind.LANES),
                    List.of(Fault.RESET),
                    OFTEN,
                    800,
                    Map.of(
                            Broken.NO_BURST_FREEZE,
                            Wrong.CHANGED_BURST,
                            Broken.NO_HEAD_CHECK_IN_LANES,
                            Wrong.OUT_OF_ORDER)),
            // A person takes the lock away; its holder knows nothing of it.
            new Scene(
                    List.of(Workload.Kind.LOCKS),
                    List.of(Fault.DELAY),
                    OFTEN,
                    60,
                    Map.of(Broken.NO_LOCK_GUARD, Wrong.TWO_HOLDERS)));

    private final TestDatabase kind;
    private final Duration time;
    private final long seed;

    private BrokenBuilds(TestDatabase kind, Duration time, long seed) {
        this.kind = kind;
        this.time = time;
        this.seed = seed;
    }

    /** Those that have a scene on this database. */
    static List<Broken> rules(TestDatabase kind) {
        return SCENES.stream()
                .filter(scene -> scene.databases().contains(kind))
                .flatMap(scene -> scene.rules().keySet().stream())
                .toList();
    }

    /** Says of each what was found; false if one was not caught, or if something was found of the whole product. */
    static boolean areCaught(TestDatabase kind, List<Broken> rules, Duration time, long seed) throws Exception {
        BrokenBuilds builds = new BrokenBuilds(kind, time, seed);
        boolean all = true;
        for (Scene scene : SCENES) {
            if (scene.isFor(kind, rules)) {
                all &= builds.areCaught(scene, rules);
            }
        }
        return all;
    }

    private boolean areCaught(Scene scene, List<Broken> rules) throws Exception {
        Verdict whole = run(scene, Broken.NOTHING);
        boolean right = whole.isRight();
        System.out.println(right ? "sound: nothing found\n" + whole : "sound: WRONG\n" + whole);
        for (Map.Entry<Broken, Wrong> rule : scene.rules().entrySet()) {
            right &= !rules.contains(rule.getKey()) || isCaught(run(scene, rule.getKey()), rule.getValue(), whole);
        }
        return right;
    }

    private static boolean isCaught(Verdict verdict, Wrong prevented, Verdict whole) throws IOException {
        Report.caught(verdict, prevented, whole);
        return verdict.isCaughtBy(prevented);
    }

    private Verdict run(Scene scene, Broken rule) throws Exception {
        return ChaosRun.run(ChaosRun.Wish.of(kind, scene.workloads(), time, seed)
                .without(rule)
                .onlyWith(scene.faults())
                .aimed(scene.aim())
                .atRate(scene.rate()));
    }
}
