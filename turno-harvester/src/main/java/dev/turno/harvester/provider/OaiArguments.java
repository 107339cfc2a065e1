package dev.turno.harvester.provider;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The arguments of a request, each at most once. */
record OaiArguments(Map<String, String> values) {

    private static final int LONGEST = 5_000;

    /** Refuses arguments that are repeated, unknown, too long or empty. */
    static OaiArguments of(Map<String, List<String>> raw, Set<String> required, Set<String> optional) {
        Map<String, String> values = new TreeMap<>();
        raw.forEach((name, all) -> {
            if (!name.equals("verb")) {
                values.put(name, single(name, all, required.contains(name) || optional.contains(name)));
            }
        });
        boolean resumed = values.containsKey("resumptionToken");
        if (resumed && values.size() > 1) {
            throw new OaiProblem("badArgument", "resumptionToken stands alone; leave the other arguments out.");
        }
        for (String name : required) {
            if (!resumed && !values.containsKey(name)) {
                throw new OaiProblem("badArgument", "The argument '" + name + "' is missing.");
            }
        }
        return new OaiArguments(values);
    }

    private static String single(String name, List<String> all, boolean known) {
        if (!known) {
            throw new OaiProblem("badArgument", "There is no argument '" + shortened(name) + "' for this verb.");
        }
        if (all.size() != 1) {
            throw new OaiProblem("badArgument", "The argument '" + name + "' is given " + all.size() + " times.");
        }
        String value = all.get(0);
        if (value.isEmpty() || value.length() > LONGEST) {
            throw new OaiProblem("badArgument", "The argument '" + name + "' is empty or too long.");
        }
        return value;
    }

    static String shortened(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "…";
    }

    Optional<String> get(String name) {
        return Optional.ofNullable(values.get(name));
    }
}
