package dev.turno.web.api;

/** As many as may: answered with 429, to be tried again in a while. */
public final class TooManyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TooManyException(String message) {
        super(message);
    }
}
