package dev.turno.harvester.index;

import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.StoredRecord;

/** Makes a document of a record. Shared by threads. */
@FunctionalInterface
public interface Crosswalk {

    /**
     * @param snapshot the snapshot that is indexed, by which the document is tagged
     */
    IndexDocument document(StoredNetwork network, long snapshot, StoredRecord record);
}
