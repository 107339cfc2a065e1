package dev.turno.harvester.store;

import dev.turno.harvester.record.RecordStatus;
import java.util.Optional;

/** What the rules said about one row of a part; UNTESTED if they did not see it. */
record Judged(String identifier, RecordStatus status, Optional<String> transformed, String details) {

    static Judged not(String identifier) {
        return new Judged(identifier, RecordStatus.UNTESTED, Optional.empty(), "");
    }
}
