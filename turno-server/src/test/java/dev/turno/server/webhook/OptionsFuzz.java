package dev.turno.server.webhook;

import static dev.turno.fuzz.Property.holds;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** The options of an inbox, a buffer or a type of tasks, a line each: refused by name, or usable. */
public final class OptionsFuzz {

    private OptionsFuzz() {}

    private interface Read {
        Object of(Map<String, String> options);
    }

    public static void fuzzerTestOneInput(byte[] input) {
        Map<String, Object> fields = new TreeMap<>();
        for (String line : new String(input, StandardCharsets.UTF_8).split("\n", -1)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                fields.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        check(fields, TargetOptions::inbox);
        check(fields, TargetOptions::buffer);
        check(fields, TargetOptions::task);
    }

    private static void check(Map<String, Object> fields, Read read) {
        try {
            Object options = read.of(TargetOptions.ofApi(fields));
            holds(
                    read.of(TargetOptions.ofApi(fields)).toString().equals(options.toString()),
                    "the same options are the same");
        } catch (IllegalArgumentException refused) {
            holds(refused.getMessage() != null && !refused.getMessage().isBlank(), "a refusal says why");
        }
    }
}
