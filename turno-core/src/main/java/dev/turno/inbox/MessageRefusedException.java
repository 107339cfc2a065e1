package dev.turno.inbox;

/** Another body stands under the same message id. Nothing was stored; two producers use one id for two things. */
public final class MessageRefusedException extends RuntimeException {

    MessageRefusedException(String message) {
        super(message);
    }
}
