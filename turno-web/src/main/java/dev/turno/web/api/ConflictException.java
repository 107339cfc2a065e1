package dev.turno.web.api;

/** The thing is not in a state for that: answered with 409. */
public final class ConflictException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ConflictException(String message) {
        super(message);
    }
}
