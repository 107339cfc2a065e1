package dev.turno.harvester.index;

import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.walk.Walk;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Records that are shown have a document, others have none. */
record FrontendDocuments(IndexTarget target, Crosswalk crosswalk) implements Documents {

    @Override
    public void write(
            StoredNetwork network, Walk walk, List<StoredRecord> shown, List<StoredRecord> gone, Consumer<String> log) {
        List<IndexDocument> documents = new ArrayList<>(shown.size());
        List<String> removed = new ArrayList<>();
        gone.forEach(record -> removed.add(IndexDocument.idOf(network.id(), record.identifier())));
        for (StoredRecord record : shown) {
            try {
                documents.add(crosswalk.document(network, walk.snapshot(), record));
            } catch (IllegalArgumentException e) {
                log.accept("Record '" + record.identifier() + "' is left out: " + e.getMessage());
                removed.add(IndexDocument.idOf(network.id(), record.identifier()));
            }
        }
        target.add(documents);
        // Also in a full indexing: its sweep leaves what the same snapshot brought when other rules judged it.
        if (!removed.isEmpty()) {
            target.remove(removed);
        }
    }

    @Override
    public void sweep(StoredNetwork network, long snapshot) {
        target.sweep(network.id(), snapshot);
    }
}
