package dev.turno.server.reference;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Commands in a page of the documentation.
 *
 * @param onServer whether they are for a running server; others start one, or build, or install
 */
record ShellBlock(Path page, boolean onServer, String text) {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh( server)?\\n(.*?)^```");
    private static final Pattern ANSWER = Pattern.compile("(?m)^# (\\{.*})$");

    static List<ShellBlock> all() {
        List<ShellBlock> blocks = new ArrayList<>();
        for (Path page : pages()) {
            BLOCK.matcher(Sources.read(page))
                    .results()
                    .forEach(found -> blocks.add(new ShellBlock(page, found.group(1) != null, found.group(2))));
        }
        return blocks;
    }

    static List<Path> pages() {
        return Stream.of("docs", "docs/guides", "docs/reference", "examples", "packaging", "")
                .map(Sources.ROOT::resolve)
                .flatMap(ShellBlock::pages)
                .toList();
    }

    private static Stream<Path> pages(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".md")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the page shows as answers, in its order; dots stand for what is left out. */
    List<Pattern> answers() {
        return ANSWER.matcher(text)
                .results()
                .map(found -> Pattern.compile(Pattern.quote(found.group(1)).replace("...", "\\E.*\\Q")))
                .toList();
    }

    @Override
    public String toString() {
        return page + ": " + text.lines().findFirst().orElse("");
    }
}
