package dev.turno.web.security;

import java.util.List;

/** Paths that anybody may read, such as a sign-in page and its style: a module contributes a bean of this type. */
public record OpenPaths(List<String> patterns) {

    public OpenPaths {
        patterns = List.copyOf(patterns);
    }

    public static OpenPaths of(String... patterns) {
        return new OpenPaths(List.of(patterns));
    }
}
