package dev.turno.web.api;

/** The caller's role is not enough for this particular change: answered with 403. */
public final class ForbiddenException extends RuntimeException {

    public ForbiddenException(String message) {
        super(message);
    }
}
