package dev.turno.benchmarks.runners;

import java.util.List;

/** All of them, by name: another process is told the name. */
public final class Runners {

    private static final List<Runner> ALL = List.of(
            new TurnoRunner("turno", true),
            new TurnoRunner("turno keep=none", false),
            new DbSchedulerRunner("db-scheduler", true),
            new DbSchedulerRunner("db-scheduler, fetch", false),
            new JobRunrRunner(),
            new QuartzRunner(),
            new OutboxRunner(),
            new DbosRunner());

    private Runners() {}

    public static Runner named(String who) {
        return ALL.stream()
                .filter(runner -> runner.who().equals(who))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Nobody is called '" + who + "'."));
    }

    /** Everybody but Turno; the best one first. */
    public static List<Runner> peers() {
        return ALL.subList(2, ALL.size());
    }

    /** As far as it is known beforehand: the only one in a quick look. */
    public static Runner bestPeer() {
        return peers().get(0);
    }
}
