package dev.turno.server.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page on security names the tests of its suite, all of them and no others. */
final class SecurityPageTest {

    private static final Pattern NAME = Pattern.compile("`(\\w+Test)`");

    @Test
    void the_page_names_every_test_with_the_tag_and_no_other() throws IOException {
        String page = Files.readString(Sources.ROOT.resolve("docs/security.md"));
        Matcher names = NAME.matcher(page);
        Set<String> named = new TreeSet<>();
        while (names.find()) {
            named.add(names.group(1));
        }

        assertThat(named).isEqualTo(tagged());
    }

    private static Set<String> tagged() throws IOException {
        try (Stream<Path> modules = Files.list(Sources.ROOT)) {
            return modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .flatMap(Sources::files)
                    .filter(file -> file.toString().endsWith("Test.java"))
                    .filter(file -> Sources.read(file).contains("@Tag(\"security\")\n"))
                    .map(file -> file.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
