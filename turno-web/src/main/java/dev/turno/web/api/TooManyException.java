package dev.turno.web.api;

/** As many as may: answered with 429, to be tried again in a while. */
public final class TooManyException extends RuntimeException {

    public TooManyException(String message) {
        super(message);
    }
}
