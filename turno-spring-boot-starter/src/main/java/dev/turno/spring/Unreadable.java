package dev.turno.spring;

import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * Why a body cannot be read, without a word of it: errors are shown where bodies are hidden or redacted, and Jackson's own messages quote
 * what they stumbled over.
 */
final class Unreadable {

    private Unreadable() {}

    static String because(RuntimeException e) {
        return e.getClass().getName() + cause(e.getCause()) + (e instanceof JacksonException bad ? where(bad) : "")
                + ".";
    }

    private static String cause(@Nullable Throwable cause) {
        return cause == null ? "" : " (" + cause.getClass().getName() + ")";
    }

    private static String where(JacksonException e) {
        return place(e.getLocation()) + path(e) + expected(e);
    }

    private static String place(@Nullable TokenStreamLocation place) {
        return place == null || place.getLineNr() < 1
                ? ""
                : " at line " + place.getLineNr() + ", column " + place.getColumnNr();
    }

    private static String path(JacksonException e) {
        String path = e.getPath().stream().map(Unreadable::step).collect(Collectors.joining());
        return path.isEmpty() ? "" : ", in " + (path.startsWith(".") ? path.substring(1) : path);
    }

    private static String step(JacksonException.Reference step) {
        if (step.getPropertyName() == null) {
            return "[" + step.getIndex() + "]";
        }
        // The keys of a map are the sender's words, as values are.
        return isMap(step.from()) ? "[key]" : "." + step.getPropertyName();
    }

    /** Jackson names the type where it has no instance yet. */
    private static boolean isMap(Object from) {
        return from instanceof Map<?, ?> || (from instanceof Class<?> type && Map.class.isAssignableFrom(type));
    }

    private static String expected(JacksonException e) {
        return e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
                ? ", where " + mismatch.getTargetType().getTypeName() + " is expected"
                : "";
    }
}
