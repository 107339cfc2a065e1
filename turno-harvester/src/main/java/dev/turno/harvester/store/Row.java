package dev.turno.harvester.store;

import dev.turno.harvester.record.OaiRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** A record as a part keeps it; its XML stays in bytes until somebody wants to read it. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Row(
        String identifier,
        long datestampMs,
        boolean deleted,
        List<String> sets,
        String prefix,
        long snapshot,
        byte[] xml) {

    OaiRecord record() {
        return new OaiRecord(
                identifier,
                Instant.ofEpochMilli(datestampMs),
                deleted,
                sets,
                prefix,
                new String(xml, StandardCharsets.UTF_8));
    }

    long key() {
        return Keys.of(identifier, deleted);
    }
}
