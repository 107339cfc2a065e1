package dev.turno.spring;

import org.jspecify.annotations.Nullable;

/** The application cannot start because of something that its author can mend. */
final class StartException extends RuntimeException {

    private final String action;

    StartException(String what, String action) {
        super(what);
        this.action = action;
    }

    StartException(String what, String action, @Nullable Throwable cause) {
        super(what, cause);
        this.action = action;
    }

    String action() {
        return action;
    }
}
