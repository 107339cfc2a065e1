package dev.turno.harvester.index;

/** The index could not be read or written; the message says in what state it is. */
public final class IndexException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public IndexException(String message, Throwable cause) {
        super(message, cause);
    }
}
