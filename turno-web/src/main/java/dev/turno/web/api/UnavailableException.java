package dev.turno.web.api;

/** Not now: answered with 503. */
public final class UnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UnavailableException(String message) {
        super(message);
    }
}
