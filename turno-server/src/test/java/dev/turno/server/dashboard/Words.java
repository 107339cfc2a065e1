package dev.turno.server.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the page says in a language, read from the page's own catalogues, so that one test goes through it in each. */
final class Words {

    private static final List<String> FILES = List.of(
            "/dev/turno/web/dashboard/words.js",
            "/dev/turno/harvester/dashboard/words.js",
            "/dev/turno/certification/dashboard/index.js");
    private static final Pattern WORD = Pattern.compile(
            "^ +'([\\w.]+)': \\['((?:[^'\\\\]|\\\\.)*)', '((?:[^'\\\\]|\\\\.)*)'\\],$", Pattern.MULTILINE);
    private static final Map<String, List<String>> ALL = read();

    private final int place;

    Words(String language) {
        this.place = language.startsWith("es") ? 1 : 0;
    }

    private static Map<String, List<String>> read() {
        Map<String, List<String>> all = new HashMap<>();
        for (String file : FILES) {
            Matcher found = WORD.matcher(text(file));
            while (found.find()) {
                all.put(found.group(1), List.of(found.group(2), found.group(3)));
            }
        }
        return all;
    }

    static String text(String file) {
        try (InputStream in = Words.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("There is no file " + file + " on the class path.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code of("done.it", "what", "Revive")}; of two forms the first, as for one. */
    String of(String key, String... values) {
        List<String> both = ALL.get(key);
        if (both == null) {
            throw new IllegalArgumentException("The page has no word '" + key + "'.");
        }
        String said = both.get(place).split("\\|", -1)[0];
        for (int i = 0; i < values.length; i += 2) {
            said = said.replace("{" + values[i] + "}", values[i + 1]);
        }
        return said;
    }
}
