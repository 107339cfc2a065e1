package dev.turno.harvester.index;

import java.util.Collection;
import java.util.List;

/**
 * An index. What is written survives a crash of this process when the call returns, and is seen by readers at the latest after
 * {@link #publish}; until then they may see some of it, never less than before. Shared by threads.
 */
public interface IndexTarget extends AutoCloseable {

    IndexKind kind();

    /** Adds documents; one with the id of an older one takes its place. */
    void add(Collection<IndexDocument> documents);

    void remove(Collection<String> ids);

    /** Removes the documents of a network that were made from older snapshots. Those of newer ones stay: this may come late. */
    void sweep(long network, long snapshot);

    /** Removes all documents of a network. */
    void removeNetwork(long network);

    /** Shows all that was written, at once. */
    void publish();

    /** Nothing is written for now: what only one process can have is left to others. */
    default void rest() {}

    /** Documents that readers see, in the order of the query. */
    List<IndexDocument> find(IndexQuery query);

    /** How many documents readers see; the query's place and limit do not matter. */
    long count(IndexQuery query);

    /** Those of these documents that readers see, in no order. */
    List<IndexDocument> get(Collection<String> ids);

    /** The values of a field that stands in the index as it is, in order; at most {@code limit}. */
    List<String> values(String field, int limit);

    /** How many documents of a network readers see. */
    default long count(long network) {
        return count(IndexQuery.orderedBy(kind().idField(), 1).with(kind().networkField(), Long.toString(network)));
    }

    @Override
    void close();
}
