package dev.turno.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Names that fit into their columns, and lists of texts in one column: a line each, its parts separated by tabs. */
final class Names {

    static final int LONGEST_JOB = 100;
    static final int LONGEST_LANE = 200;
    static final int LONGEST_LIST = 60_000;

    private Names() {}

    static String require(String what, String text, int longest) {
        if (text.isBlank() || text.length() > longest || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("The " + what + " is '" + text + "'; use 1 to " + longest
                    + " characters, not all blank, without control characters.");
        }
        return text;
    }

    static String lines(String what, Collection<List<String>> lines) {
        StringBuilder all = new StringBuilder();
        for (List<String> line : lines) {
            all.append(all.length() == 0 ? "" : "\n")
                    .append(String.join("\t", line.stream().map(Names::escaped).toList()));
        }
        if (all.length() > LONGEST_LIST) {
            throw new IllegalArgumentException("The " + what + " of the run have " + all.length()
                    + " characters in all; at most " + LONGEST_LIST + " can be stored. Nothing was submitted.");
        }
        return all.toString();
    }

    static List<List<String>> lines(String stored) {
        List<List<String>> lines = new ArrayList<>();
        if (!stored.isEmpty()) {
            for (String line : stored.split("\n", -1)) {
                lines.add(List.of(line.split("\t", -1)).stream()
                        .map(Names::unescaped)
                        .toList());
            }
        }
        return lines;
    }

    static String map(String what, Map<String, String> values) {
        return lines(
                what,
                values.entrySet().stream()
                        .map(entry -> List.of(entry.getKey(), entry.getValue()))
                        .toList());
    }

    static Map<String, String> map(String stored) {
        Map<String, String> values = new TreeMap<>();
        lines(stored).forEach(line -> values.put(line.get(0), line.get(1)));
        return values;
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace('\0', '\uFFFD');
    }

    private static String unescaped(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                char next = text.charAt(++i);
                plain.append(next == 't' ? '\t' : next == 'n' ? '\n' : next);
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }
}
