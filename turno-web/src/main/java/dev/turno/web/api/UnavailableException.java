package dev.turno.web.api;

/** Not now: answered with 503. */
public final class UnavailableException extends RuntimeException {

    public UnavailableException(String message) {
        super(message);
    }
}
