package dev.turno.harvester.record;

import dev.turno.claim.Claim;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The records of all snapshots. A snapshot shows what its own harvest brought, laid over what the harvests before it brought; of
 * several records with one identifier only the newest is seen. Shared by threads; at most one run of a network writes at a time.
 */
public interface RecordStore {

    /**
     * The next records of a snapshot, in the store's own order, each identifier once. Empty at the end.
     *
     * <p>The same arguments give the same page as long as the snapshot is not compacted; a cursor from before that begins anew.
     * A page may be smaller than {@code size}, even without records, and there may still be more.
     *
     * @param after the cursor of the page before; empty at the beginning
     */
    Optional<RecordPage> page(long snapshot, Selection selection, Optional<String> after, int size) throws IOException;

    /** How many records a selection has at most; cheap, for progress. */
    long count(long snapshot, Selection selection);

    /** One record as this snapshot shows it; a deleted one too. */
    Optional<StoredRecord> find(long snapshot, String identifier) throws IOException;

    /**
     * Keeps the results of a page that {@link #page} gave. They are on disk when this returns, and seen by readers once all records
     * of their part have one and the caller's transaction has committed. Kept again, after a crash, the higher fence counts.
     *
     * @param connection the transaction of the run's page, which stores its cursor
     * @param claim the run that judges, with its fence
     * @param after as given to {@link #page}
     */
    void keep(Connection connection, Claim claim, Optional<String> after, RecordPage page, List<RecordResult> results)
            throws IOException, SQLException;

    /** Frees what was only needed until results were committed. */
    void settle(long snapshot) throws IOException;
}
