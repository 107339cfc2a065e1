package dev.turno.server.webhook;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An inbox, a buffer or a task type as the servers handle it.
 *
 * @param options by their names in configuration files; what is left out keeps its default
 * @param webhook where its handler lives; empty: the handlers are elsewhere, for example external workers
 */
public record Target(Kind kind, String name, Map<String, String> options, Optional<Webhook> webhook) {

    /** What has the name. */
    public enum Kind {
        INBOX,
        BUFFER,
        TASK;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Tells one target from another. */
    public record Id(Kind kind, String name) {
        @Override
        public String toString() {
            return kind + " '" + name + "'";
        }
    }

    private static final int LONGEST_NAME = 100;

    public Target {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("The name of the " + kind + " has " + name.length()
                    + " characters; use 1 to " + LONGEST_NAME + ".");
        }
        options = Map.copyOf(new TreeMap<>(options));
    }

    public Id id() {
        return new Id(kind, name);
    }
}
