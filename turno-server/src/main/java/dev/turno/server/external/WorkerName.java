package dev.turno.server.external;

import java.util.regex.Pattern;

/**
 * A worker outside: the token that it comes with, and a name of its choice beneath it. Another token's workers have other names,
 * whatever they choose.
 */
public record WorkerName(String token, String name) {

    /** Of a worker that did not name itself. */
    public static final String USUAL = "main";

    private static final Pattern USABLE = Pattern.compile("[A-Za-z0-9._-]{1,50}");
    private static final String PREFIX = "external/";

    public WorkerName {
        if (!USABLE.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The name of the worker has " + name.length()
                            + " characters; use 1 to 50 letters, digits, full stops, dashes and underscores. Nothing was changed.");
        }
    }

    /** How it is named among the holders. The name has no slash, so no two workers share one. */
    String node() {
        return PREFIX + token + "/" + name;
    }
}
