package dev.turno.harvester.harvest;

/** A harvest cannot go on by itself. The message says what somebody has to do. */
final class HarvestFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    HarvestFailedException(String message) {
        super(message);
    }
}
