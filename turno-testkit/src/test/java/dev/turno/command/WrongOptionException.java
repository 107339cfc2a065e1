package dev.turno.command;

/** Words that a command cannot use. Nothing has begun yet. */
final class WrongOptionException extends RuntimeException {

    WrongOptionException(String message) {
        super(message);
    }
}
