package dev.turno.task;

import static dev.turno.worker.WorkerSettings.isUpTo;
import static dev.turno.worker.WorkerSettings.require;

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
        keep.ifPresent(
                time -> require(isUpTo(time, Duration.ofDays(36_500)), "keep", time, "none, or up to 100 years"));
        require(inMemory >= 1 && inMemory <= 1_000_000, "in-memory", inMemory, "1 to 1000000");
        require(memory >= LONGEST_BODY, "memory", memory, LONGEST_BODY + " or more");
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
    public static final class Builder extends WorkerSettings.Choices<Builder> {

        private Optional<Duration> keep = Optional.of(Duration.ofDays(7));
        private int inMemory = 100_000;
        private long memory = 64_000_000;

        private Builder() {
            super(500, Duration.ofMinutes(5));
        }

        @Override
        protected Builder self() {
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
            return new TaskOptions(work(), keep, inMemory, memory);
        }
    }
}
