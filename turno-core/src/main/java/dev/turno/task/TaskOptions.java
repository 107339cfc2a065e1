package dev.turno.task;

import dev.turno.worker.Backoff;
import dev.turno.worker.FinishMode;
import dev.turno.worker.WorkerSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How tasks of a type are handled in this process.
 *
 * @param work threads, batches, maximum run time, attempts, backoff, finish mode, polling
 * @param keep how long finished tasks stay and their keys are recognised; empty: deleted when finished
 * @param inMemory the most tasks of its share that this process has in memory
 * @param memory the most characters of bodies that this process has in memory
 */
public record TaskOptions(WorkerSettings work, Optional<Duration> keep, int inMemory, long memory) {

    /** What the narrowest of the databases can store. */
    public static final int LONGEST_BODY = 1_048_576;

    public TaskOptions {
        require(work.threads() >= 1 && work.threads() <= 10_000, "threads", work.threads(), "1 to 10000");
        require(work.batch() >= 1 && work.batch() <= 5_000, "batch", work.batch(), "1 to 5000");
        require(isUpTo(work.maxRun(), Duration.ofDays(7)), "max-run", work.maxRun(), "more than zero, up to 7 days");
        require(
                work.maxAttempts() >= 1 && work.maxAttempts() <= 1_000,
                "max-attempts",
                work.maxAttempts(),
                "1 to 1000");
        require(isUpTo(work.poll(), Duration.ofMinutes(1)), "poll", work.poll(), "more than zero, up to 1 minute");
        keep.ifPresent(
                time -> require(isUpTo(time, Duration.ofDays(36_500)), "keep", time, "none, or up to 100 years"));
        require(inMemory >= 1 && inMemory <= 1_000_000, "in-memory", inMemory, "1 to 1000000");
        require(memory >= LONGEST_BODY, "memory", memory, LONGEST_BODY + " or more");
    }

    private static boolean isUpTo(Duration duration, Duration most) {
        return !duration.isNegative() && !duration.isZero() && duration.compareTo(most) <= 0;
    }

    private static void require(boolean good, String option, Object value, String use) {
        if (!good) {
            throw new IllegalArgumentException("The task option '" + option + "' is " + value + "; use " + use + ".");
        }
    }

    public static TaskOptions defaults() {
        return new Builder().build();
    }

    /** {@code TaskOptions.of(o -> o.threads(32).maxAttempts(5))}. */
    public static TaskOptions of(Consumer<Builder> choices) {
        Builder builder = new Builder();
        choices.accept(builder);
        return builder.build();
    }

    /** Collects choices; everything left out keeps its default. Not shared by threads. */
    public static final class Builder {

        private int threads = 16;
        private boolean virtualThreads;
        private int batch = 500;
        private Duration maxRun = Duration.ofMinutes(5);
        private int maxAttempts = 10;
        private Backoff backoff = Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(10));
        private FinishMode finish = FinishMode.BATCHED;
        private Duration poll = Duration.ofSeconds(1);
        private Optional<Duration> keep = Optional.of(Duration.ofDays(7));
        private int inMemory = 100_000;
        private long memory = 64_000_000;

        private Builder() {}

        public Builder threads(int wished) {
            threads = wished;
            return this;
        }

        /** Runs handlers on virtual threads where the runtime has them (Java 21 and later). */
        public Builder virtualThreads(boolean wished) {
            virtualThreads = wished;
            return this;
        }

        public Builder batch(int wished) {
            batch = wished;
            return this;
        }

        public Builder maxRun(Duration wished) {
            maxRun = wished;
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

        public Builder finish(FinishMode wished) {
            finish = wished;
            return this;
        }

        public Builder poll(Duration wished) {
            poll = wished;
            return this;
        }

        public Builder keep(Duration wished) {
            keep = Optional.of(wished);
            return this;
        }

        /** Deletes tasks when they are done. */
        public Builder keepNone() {
            keep = Optional.empty();
            return this;
        }

        /** The most tasks of its share in memory; the rest is taken dynamically when it is due. */
        public Builder inMemory(int wished) {
            inMemory = wished;
            return this;
        }

        /** The most characters of bodies in memory. */
        public Builder memory(long wished) {
            memory = wished;
            return this;
        }

        private TaskOptions build() {
            WorkerSettings work =
                    new WorkerSettings(threads, virtualThreads, batch, maxRun, maxAttempts, backoff, finish, poll);
            return new TaskOptions(work, keep, inMemory, memory);
        }
    }
}
