package dev.turno.run;

import dev.turno.worker.Backoff;
import dev.turno.worker.FinishMode;
import dev.turno.worker.WorkerSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How runs behave in this process.
 *
 * @param perNode the most runs under way in this process ({@code taskmanager.concurrent.tasks})
 * @param perCluster the most runs under way in the whole cluster; empty: as it was set before, 4 at first
 * @param maxQueued the most runs that wait; empty: as it was set before, 32 at first ({@code taskmanager.max_queued.tasks})
 * @param maxPage how long a page may take, with its fetching, before its thread is interrupted, the run's claim lapses and the run is
 *     tried again; no item is blamed for it
 * @param maxAttempts after so many takings without a stored page the run is DEAD
 * @param keep how long runs that are DONE or CANCELLED stay; a DONE one with parked items stays until these are revived
 */
public record RunOptions(
        int perNode,
        Optional<Integer> perCluster,
        Optional<Integer> maxQueued,
        Duration maxPage,
        int maxAttempts,
        Backoff backoff,
        Duration poll,
        Duration keep) {

    public static final int MOST_PER_NODE = 64;
    public static final int MOST_PER_CLUSTER = 10_000;
    public static final int MOST_QUEUED = 1_000_000;

    public RunOptions {
        requireWithin("per-node", perNode, 1, MOST_PER_NODE);
        perCluster.ifPresent(limit -> requireWithin("per-cluster", limit, 1, MOST_PER_CLUSTER));
        maxQueued.ifPresent(limit -> requireWithin("max-queued", limit, 1, MOST_QUEUED));
        requireWithin("max-attempts", maxAttempts, 1, 1_000);
        requireWithin(
                "max-page in ms", maxPage.toMillis(), 100, Duration.ofDays(7).toMillis());
        requireWithin("poll in ms", poll.toMillis(), 1, 60_000);
        requireWithin(
                "keep in hours", keep.toHours(), 0, Duration.ofDays(36_500).toHours());
    }

    static void requireWithin(String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "The run option '" + option + "' is " + value + "; use " + least + " to " + most + ".");
        }
    }

    public static RunOptions defaults() {
        return of(choices -> {});
    }

    /** {@code RunOptions.of(o -> o.perNode(2).perCluster(8))}. */
    public static RunOptions of(Consumer<Builder> choices) {
        Builder builder = new Builder();
        choices.accept(builder);
        return builder.build();
    }

    WorkerSettings work() {
        return new WorkerSettings(
                MOST_PER_NODE, false, MOST_PER_NODE, maxPage, maxAttempts, backoff, FinishMode.AT_ONCE, poll);
    }

    /** Collects choices; everything left out keeps its default. Not shared by threads. */
    public static final class Builder {

        private int perNode = 4;
        private Optional<Integer> perCluster = Optional.empty();
        private Optional<Integer> maxQueued = Optional.empty();
        private Duration maxPage = Duration.ofMinutes(5);
        private int maxAttempts = 10;
        private Backoff backoff = Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(10));
        private Duration poll = Duration.ofSeconds(1);
        private Duration keep = Duration.ofDays(30);

        private Builder() {}

        public Builder perNode(int wished) {
            perNode = wished;
            return this;
        }

        public Builder perCluster(int wished) {
            perCluster = Optional.of(wished);
            return this;
        }

        public Builder maxQueued(int wished) {
            maxQueued = Optional.of(wished);
            return this;
        }

        public Builder maxPage(Duration wished) {
            maxPage = wished;
            return this;
        }

        public Builder maxAttempts(int wished) {
            maxAttempts = wished;
            return this;
        }

        public Builder backoff(Backoff wished) {
            backoff = wished;
            return this;
        }

        public Builder poll(Duration wished) {
            poll = wished;
            return this;
        }

        public Builder keep(Duration wished) {
            keep = wished;
            return this;
        }

        private RunOptions build() {
            return new RunOptions(perNode, perCluster, maxQueued, maxPage, maxAttempts, backoff, poll, keep);
        }
    }
}
