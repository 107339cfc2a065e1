package dev.turno.claim;

/** Somebody else has the row by now. The surrounding transaction must be rolled back. */
public final class ClaimLostException extends RuntimeException {

    public ClaimLostException(String message) {
        super(message);
    }
}
