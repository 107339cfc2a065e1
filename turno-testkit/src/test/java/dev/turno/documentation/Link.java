package dev.turno.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A link from a page of the documentation to a file of this repository.
 *
 * @param anchor the heading in that file, as its address names it; empty: the page itself
 */
record Link(Path target, String anchor) {

    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)#?([^)\\s]*)\\)");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|`[^`\n]*`");

    static List<Link> in(Path page) throws IOException {
        return LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll(""))
                .results()
                .map(found ->
                        new Link(found.group(1).isEmpty() ? page : page.resolveSibling(found.group(1)), found.group(2)))
                .toList();
    }

    /** The headings that a link may name; the empty one is the page itself. */
    List<String> headings() throws IOException {
        if (anchor.isEmpty() || Files.isDirectory(target)) {
            return List.of("");
        }
        try (Stream<String> lines = Files.lines(target)) {
            return lines.filter(line -> line.startsWith("#"))
                    .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
                    .map(line -> line.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                    .toList();
        }
    }
}
