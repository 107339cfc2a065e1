package dev.turno.harvester.index;

import org.apache.solr.common.SolrException;

/** The index could not be read or written; the message says in what state it is. */
public final class IndexException extends RuntimeException {

    private static final int SERVER_ERROR = 500;

    public IndexException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Whether the index may take later what it did not take now: it is away or its disk is full, and did not refuse it. */
    boolean isPassing() {
        return !(getCause() instanceof SolrException refusal) || refusal.code() >= SERVER_ERROR;
    }
}
