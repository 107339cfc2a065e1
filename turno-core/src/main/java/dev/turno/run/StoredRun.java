package dev.turno.run;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run as it stands in the database.
 *
 * @param chain the jobs that follow when this run is DONE
 * @param first the first run of the chain that this one belongs to, unless it is that itself
 * @param revives the run whose parked items this one takes up again
 * @param turnAt when its turn comes, or came; empty: never again, or not before those ahead of it in its lanes
 * @param node who has it, or had it last, while that process is remembered
 * @param stopAt when somebody wished it to stop
 */
public record StoredRun(
        long id,
        String job,
        Optional<String> subject,
        Optional<String> action,
        List<String> lanes,
        List<String> chain,
        Optional<Long> first,
        Optional<Long> revives,
        RunState state,
        boolean incremental,
        Map<String, String> parameters,
        int attempt,
        long fence,
        Instant submittedAt,
        Optional<Instant> turnAt,
        Optional<Instant> heldUntil,
        Optional<Instant> startedAt,
        Optional<Instant> stopAt,
        Optional<Instant> finishedAt,
        Optional<String> node,
        Optional<String> cursor,
        Optional<String> error,
        Progress progress) {}
