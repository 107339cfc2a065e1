package dev.turno.harvester.oai;

import dev.turno.harvester.record.OaiRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Keeps what a small page gave until it is known to be good. */
final class Held implements RecordSink {

    private final List<Consumer<RecordSink>> given = new ArrayList<>();

    @Override
    public void begin() {
        given.clear();
    }

    @Override
    public void record(OaiRecord record) {
        given.add(sink -> sink.record(record));
    }

    @Override
    public void quarantine(String identifier, String why, String raw) {
        given.add(sink -> sink.quarantine(identifier, why, raw));
    }

    void release(RecordSink sink) {
        given.forEach(one -> one.accept(sink));
    }
}
