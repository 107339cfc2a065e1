package dev.turno.harvester.oai;

import dev.turno.harvester.record.OaiRecord;

/** For answers that have no records, or whose records nobody wants. */
final class Discarding implements RecordSink {

    @Override
    public void begin() {}

    @Override
    public void record(OaiRecord record) {}

    @Override
    public void quarantine(String identifier, String why, String raw) {}
}
