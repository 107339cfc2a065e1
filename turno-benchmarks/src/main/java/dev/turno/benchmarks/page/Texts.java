package dev.turno.benchmarks.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What people wrote about the figures, in {@code texts.md}: how they come about, what limits each, why a goal was missed. */
final class Texts {

    private static final Pattern SECTION = Pattern.compile("(?ms)^## (.+?)\\n(.*?)(?=^## |\\z)");

    private final Map<String, String> sections = new LinkedHashMap<>();

    static Texts read() throws IOException {
        Texts texts = new Texts();
        try (InputStream in = Texts.class.getResourceAsStream("texts.md")) {
            if (in == null) {
                throw new IllegalStateException("texts.md is not on the class path.");
            }
            Matcher matcher = SECTION.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            while (matcher.find()) {
                texts.sections.put(matcher.group(1).strip(), matcher.group(2).strip());
            }
        }
        return texts;
    }

    Optional<String> about(String what) {
        return Optional.ofNullable(sections.get(what));
    }
}
