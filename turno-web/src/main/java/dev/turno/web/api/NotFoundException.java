package dev.turno.web.api;

/** There is no such thing: answered with 404. */
public final class NotFoundException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public NotFoundException(String message) {
        super(message);
    }
}
