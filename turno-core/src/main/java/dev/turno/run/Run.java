package dev.turno.run;

import java.util.Map;
import java.util.Optional;

/** A run in the hands of a holder, as it was when it was taken. {@code cursor}: where its last stored page ended. */
public record Run(
        long id,
        String job,
        Optional<String> subject,
        Optional<String> action,
        boolean incremental,
        Map<String, String> parameters,
        Optional<String> cursor,
        long completed,
        long skipped,
        long letters,
        Optional<Long> total,
        Optional<Long> revives,
        int logLines) {}
