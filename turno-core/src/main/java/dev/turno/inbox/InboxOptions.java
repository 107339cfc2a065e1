package dev.turno.inbox;

import static dev.turno.worker.WorkerSettings.isUpTo;
import static dev.turno.worker.WorkerSettings.require;

import dev.turno.worker.WorkerSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How an inbox behaves in this process.
 *
 * @param work threads, batches, maximum run time, attempts, backoff, finish mode, polling
 * @param keep how long finished messages stay and their ids are recognised; empty: deleted when finished, so that only
 *     unfinished duplicates are recognised
 * @param concurrency the most messages under way at once in the whole cluster; empty: whatever was said before, see
 *     {@link Inbox#limit}, or as many as there are threads
 * @param maxBody the longest body in characters
 * @param deadBlocksItsKey whether a DEAD message keeps the later ones of its ordering key waiting
 */
public record InboxOptions(
        WorkerSettings work,
        Optional<Duration> keep,
        Optional<Integer> concurrency,
        int maxBody,
        boolean deadBlocksItsKey) {

    /** What the narrowest of the databases can store. */
    public static final int LONGEST_BODY = 1_048_576;

    public InboxOptions {
        keep.ifPresent(
                time -> require(isUpTo(time, Duration.ofDays(36_500)), "keep", time, "none, or up to 100 years"));
        concurrency.ifPresent(InboxOptions::requireConcurrency);
        require(maxBody >= 1 && maxBody <= LONGEST_BODY, "max-body", maxBody, "1 to " + LONGEST_BODY);
    }

    static void requireConcurrency(int wished) {
        require(wished >= 1 && wished <= 10_000, "concurrency", wished, "1 to 10000");
    }

    public static InboxOptions defaults() {
        return new Builder().build();
    }

    /** {@code InboxOptions.of(o -> o.maxAttempts(5).keepNone())}. */
    public static InboxOptions of(Consumer<Builder> choices) {
        Builder builder = new Builder();
        choices.accept(builder);
        return builder.build();
    }

    /** From names and values as in a configuration file; an unknown name is refused and the nearest one suggested. */
    public static InboxOptions of(Map<String, String> choices) {
        return of(builder -> choices.forEach((name, value) -> InboxOptionNames.apply(builder, name, value)));
    }

    /** Collects choices; everything left out keeps its default. Not shared by threads. */
    public static final class Builder extends WorkerSettings.Choices<Builder> {

        private Optional<Duration> keep = Optional.of(Duration.ofDays(7));
        private Optional<Integer> concurrency = Optional.empty();
        private int maxBody = 262_144;
        private boolean deadBlocksItsKey;

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

        /** Deletes messages when they are done. */
        public Builder keepNone() {
            keep = Optional.empty();
            return this;
        }

        public Builder concurrency(int wished) {
            concurrency = Optional.of(wished);
            return this;
        }

        public Builder maxBody(int wished) {
            maxBody = wished;
            return this;
        }

        public Builder deadBlocksItsKey(boolean wished) {
            deadBlocksItsKey = wished;
            return this;
        }

        private InboxOptions build() {
            return new InboxOptions(work(), keep, concurrency, maxBody, deadBlocksItsKey);
        }
    }
}
