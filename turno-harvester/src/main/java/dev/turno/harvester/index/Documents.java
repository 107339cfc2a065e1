package dev.turno.harvester.index;

import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.walk.Walk;
import java.util.List;
import java.util.function.Consumer;

/** How records become documents of one kind of index. Shared by threads. */
interface Documents {

    /**
     * @param shown records to show
     * @param gone records that are deleted or not valid
     * @param log told about records of which no document could be made
     */
    void write(
            StoredNetwork network, Walk walk, List<StoredRecord> shown, List<StoredRecord> gone, Consumer<String> log);

    /** Removes what a full indexing of this snapshot did not renew: documents of older ones. */
    void sweep(StoredNetwork network, long snapshot);
}
