package dev.turno.web.api;

/** There is no such thing: answered with 404. */
public final class NotFoundException extends RuntimeException {

    public NotFoundException(String message) {
        super(message);
    }
}
