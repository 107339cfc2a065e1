package dev.turno.run;

/** An item failed for good, and with it the run. The message is what people read in the run's error. */
final class ItemFailedException extends RuntimeException {

    ItemFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
