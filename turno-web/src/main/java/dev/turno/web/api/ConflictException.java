package dev.turno.web.api;

/** The thing is not in a state for that: answered with 409. */
public final class ConflictException extends RuntimeException {

    public ConflictException(String message) {
        super(message);
    }
}
