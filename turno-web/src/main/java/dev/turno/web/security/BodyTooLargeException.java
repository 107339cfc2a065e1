package dev.turno.web.security;

import java.io.IOException;

/** More was sent than the server takes. */
public final class BodyTooLargeException extends IOException {

    BodyTooLargeException(long most) {
        super(words(most));
    }

    static String words(long most) {
        return "A body has at most " + most + " bytes (turno.web.max-body). Nothing was changed; send less at once.";
    }
}
