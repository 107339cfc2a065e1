package dev.turno.benchmarks.run;

import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What a workload is told.
 *
 * @param budget how long all of it may take: there are fewer rounds rather than a longer run
 * @param progress what is going on, line by line
 */
public record Setup(Scale scale, TestDatabase database, Duration budget, Consumer<String> progress) {

    public boolean isFull() {
        return scale == Scale.FULL;
    }

    public boolean isOnPostgres() {
        return database == TestDatabase.POSTGRESQL;
    }

    /** Rounds within this budget, counted from now. */
    public Rounds rounds(int wanted) {
        return rounds(wanted, 1);
    }

    /** Rounds within a share of the budget, counted from now: a workload of several parts. */
    public Rounds rounds(int wanted, double share) {
        return new Rounds(wanted, Duration.ofNanos((long) (budget.toNanos() * share)), progress);
    }
}
