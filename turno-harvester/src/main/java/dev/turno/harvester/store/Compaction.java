package dev.turno.harvester.store;

import dev.turno.claim.Claim;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.record.Selection;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes what a snapshot shows into new parts, without what is older, so that it stands alone. Rows keep the number of the snapshot that
 * brought them, so that whoever asks for what changed since then is answered as before; their results come along. Shared by threads.
 */
public final class Compaction {

    private static final int MOST_PARTS = 64;
    private static final double LEAST_LIVE = 0.6;
    private static final long PART_BYTES = 128L << 20;
    private static final int AT_ONCE = 1_000;

    private final ParquetStore store;
    private final Snapshots snapshots;

    public Compaction(ParquetStore store, Snapshots snapshots) {
        this.store = store;
        this.snapshots = snapshots;
    }

    /** True if it has more than 64 parts, or less than 60 % of their rows are seen. */
    public boolean isDue(Snapshot snapshot) {
        List<Part> chain = store.parts().chain(snapshot.id());
        long rows =
                chain.stream().mapToLong(part -> part.rows() - part.deletions()).sum();
        return chain.size() > MOST_PARTS || (chain.size() > 1 && snapshot.total() < rows * LEAST_LIVE);
    }

    /** Writes the new parts; they do not count before {@link #swap}. */
    public List<NewPart> write(Snapshot snapshot, Claim claim) throws IOException {
        List<NewPart> made = new ArrayList<>();
        try (Reading reading = new Reading(
                store.parts().chain(snapshot.id()),
                new Selection(Selection.live().since(), true),
                true)) {
            Optional<Reading.Stretch> next = reading.next(AT_ONCE);
            while (next.isPresent()) {
                Path file = store.folder(snapshot)
                        .resolve("part-c" + claim.id() + "-" + made.size() + "-" + claim.fence() + ".parquet");
                try (PartWriter writer = new PartWriter(file, true)) {
                    while (next.isPresent() && writer.bytes() < PART_BYTES) {
                        for (Reading.Seen seen : next.get().rows()) {
                            writer.add(seen.row(), Optional.of(seen.judged()));
                        }
                        next = reading.next(AT_ONCE);
                    }
                    made.add(writer.finish());
                }
            }
        }
        return made;
    }

    /** From the commit of this transaction on the new parts count instead of the old. */
    public void swap(Connection connection, Snapshot snapshot, List<NewPart> made) throws IOException {
        store.parts().removeAll(connection, snapshot.id());
        for (int i = 0; i < made.size(); i++) {
            store.parts().add(connection, snapshot.id(), -i, made.get(i)); // the first is the newest
        }
        snapshots.standAlone(connection, snapshot.id());
        store.forgetWalks();
    }
}
