package dev.turno.harvester.record;

import java.util.List;

/**
 * Some records of a snapshot, each the newest of its identifier.
 *
 * @param cursor the place after them: opaque, at most 100 characters
 */
public record RecordPage(long snapshot, List<StoredRecord> records, String cursor) {

    public RecordPage {
        records = List.copyOf(records);
    }
}
