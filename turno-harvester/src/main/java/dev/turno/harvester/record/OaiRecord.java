package dev.turno.harvester.record;

import java.time.Instant;
import java.util.List;

/**
 * A record as its source gave it.
 *
 * @param datestamp the source's; where that cannot be read, the moment of the answer that brought it
 * @param deleted the source says that it is gone, or does not have it any more
 * @param metadataPrefix the format in which it was asked for
 * @param xml what stands inside {@code <metadata>}, complete with its namespaces; empty if it is deleted
 */
public record OaiRecord(
        String identifier, Instant datestamp, boolean deleted, List<String> sets, String metadataPrefix, String xml) {

    public OaiRecord {
        sets = List.copyOf(sets);
    }

    /** The same record with other XML. */
    public OaiRecord with(String other) {
        return new OaiRecord(identifier, datestamp, deleted, sets, metadataPrefix, other);
    }
}
