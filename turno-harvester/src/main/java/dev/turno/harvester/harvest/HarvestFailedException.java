package dev.turno.harvester.harvest;

/** A harvest cannot go on by itself. The message says what somebody has to do. */
final class HarvestFailedException extends RuntimeException {

    HarvestFailedException(String message) {
        super(message);
    }
}
