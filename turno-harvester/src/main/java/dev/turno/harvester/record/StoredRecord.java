package dev.turno.harvester.record;

import java.util.Optional;

/**
 * A record with what is known about it.
 *
 * @param snapshot the harvest that brought it
 * @param transformed what the rules made of its XML; empty if they changed nothing
 * @param details of the result; empty if there are none
 */
public record StoredRecord(
        OaiRecord record, long snapshot, RecordStatus status, Optional<String> transformed, String details) {

    public String identifier() {
        return record.identifier();
    }

    /** The XML to publish: transformed, or as its source gave it. */
    public String published() {
        return transformed.orElse(record.xml());
    }
}
