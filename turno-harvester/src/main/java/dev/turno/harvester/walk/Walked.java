package dev.turno.harvester.walk;

import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.RecordPage;
import dev.turno.harvester.record.StoredRecord;

/** A record on the way, with the page in which it came. */
public record Walked(StoredRecord record, Batch batch) {

    /** @param at the walk before this page */
    public record Batch(StoredNetwork network, Walk at, RecordPage page) {}
}
