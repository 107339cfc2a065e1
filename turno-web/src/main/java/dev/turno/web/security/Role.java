package dev.turno.web.security;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;

/** What a credential is good for. */
public enum Role {
    /** Reads. */
    VIEWER,
    /** Puts, takes, finishes, locks. */
    PRODUCER,
    /** Acts on items; reads and produces too. */
    OPERATOR,
    /** Everything. */
    ADMIN,
    /** Certifies for its own AFORE keys. */
    CALLER;

    /** True if whoever has this role may use a route for {@code needed}. */
    public boolean covers(Role needed) {
        return switch (this) {
            case ADMIN -> true;
            case OPERATOR -> needed == OPERATOR || needed == VIEWER || needed == PRODUCER;
            case VIEWER, PRODUCER, CALLER -> needed == this;
        };
    }

    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    @JsonCreator
    public static Role of(String text) {
        return Arrays.stream(values())
                .filter(role -> role.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no such role; use viewer, producer, operator, admin or caller."));
    }
}
