package dev.turno.chaos;

import dev.turno.simulation.Broken;
import dev.turno.testkit.chaos.Fault;
import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import java.util.List;

/** The product with one rule taken out at a time, each with the workload and the faults that need the rule: all of them have to be caught. */
final class BrokenBuilds {

    private record Build(Broken broken, List<Workload.Kind> workloads, List<Fault> faults) {}

    static final List<Build> ALL = List.of(
            new Build(Broken.NO_FENCE_CHECK, List.of(Workload.Kind.INBOX), List.of(Fault.FREEZE)),
            new Build(Broken.NO_STATUS_CHECK, List.of(Workload.Kind.BATCHED), List.of(Fault.LOST_ANSWERS)),
            new Build(Broken.NO_IDEMPOTENT_FINISH, List.of(Workload.Kind.INBOX), List.of(Fault.LOST_ANSWERS)),
            new Build(
                    Broken.NO_REAPED_CHECK_IN_TAKE,
                    List.of(Workload.Kind.INBOX, Workload.Kind.BATCHED),
                    List.of(Fault.PARTITION)),
            new Build(Broken.NO_REAPED_CHECK_IN_RENEW, List.of(Workload.Kind.INBOX), List.of(Fault.FREEZE)),
            new Build(Broken.NO_BURST_FREEZE, List.of(Workload.Kind.BUFFERS), List.of(Fault.RESET)),
            new Build(Broken.NO_HEAD_CHECK_IN_LANES, List.of(Workload.Kind.LANES), List.of(Fault.RESET)));

    private BrokenBuilds() {}

    /** Says of each what was found. */
    static boolean areCaught(TestDatabase kind, int seconds, long seed) throws Exception {
        boolean all = true;
        for (Build build : ALL) {
            Verdict verdict = run(build, kind, seconds, seed);
            all &= !verdict.isRight();
            Report.caught(verdict, found(verdict));
        }
        return all;
    }

    private static Verdict run(Build build, TestDatabase kind, int seconds, long seed) throws Exception {
        return ChaosRun.run(ChaosRun.Wish.of(kind, build.workloads(), Duration.ofSeconds(seconds), seed)
                .without(build.broken())
                .onlyWith(build.faults()));
    }

    private static String found(Verdict verdict) {
        StringBuilder found = new StringBuilder();
        for (Wrong wrong : Wrong.values()) {
            if (verdict.count(wrong) > 0) {
                found.append(found.isEmpty() ? "" : ", ")
                        .append(wrong)
                        .append(' ')
                        .append(verdict.count(wrong));
            }
        }
        return found.isEmpty() ? "NOT CAUGHT" : found.toString();
    }
}
