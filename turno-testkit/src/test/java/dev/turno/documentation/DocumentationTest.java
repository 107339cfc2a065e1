package dev.turno.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentationTest {

    private static final Path ROOT = Path.of("..");

    @Test
    void the_first_program_runs_as_it_stands(@TempDir Path directory) throws Exception {
        String program = program("inbox");

        String printed = Page.run(program, directory);

        assertThat(printed).contains("Stored[]").contains("Duplicate[").containsOnlyOnce("handling order-1, attempt 1");
        assertThat(program.lines().count()).isLessThanOrEqualTo(22);
    }

    @Test
    void the_example_of_order_priority_and_delay_runs_as_it_stands(@TempDir Path directory) throws Exception {
        String program = Page.of("docs/guides/inbox.md").programs().get(1);

        assertThat(Page.run(program, directory))
                .contains("handling urgent", "handling reminder")
                .containsSubsequence("handling paid", "handling sent");
    }

    private static String program(String guide) throws IOException {
        return Page.of("docs/guides/" + guide + ".md").programs().get(0);
    }

    @Test
    void the_example_of_the_buffers_runs_as_it_stands(@TempDir Path directory) throws Exception {
        String program = program("buffers");

        assertThat(Page.run(program, directory)).containsOnlyOnce("+34600000001 says: hola / quiero reserva");
    }

    @Test
    void the_example_of_the_locks_runs_as_it_stands(@TempDir Path directory) throws Exception {
        String program = program("locks");

        assertThat(Page.run(program, directory)).contains("written under fence 1");
    }

    @Test
    void the_example_of_the_tasks_runs_as_it_stands(@TempDir Path directory) throws Exception {
        String program = program("tasks");

        assertThat(Page.run(program, directory))
                .contains("reminding Ada")
                .doesNotContain("reminding Bob")
                .contains("Changed[]")
                .contains("02:30:00 Europe/Berlin");
    }

    @Test
    void the_example_of_the_runs_runs_as_it_stands(@TempDir Path directory) throws Exception {
        String program = program("runs");

        assertThat(Page.run(program, directory)).contains("completed=1000");
    }

    @Test
    void the_example_of_the_chaos_is_the_test_that_runs() throws IOException {
        String program = program("chaos");

        assertThat(Files.readString(Path.of("src/test/java/dev/turno/documentation/ShopTest.java")))
                .contains(program);
        assertThat(program.lines().count()).isLessThan(20);
    }

    @Test
    void every_link_leads_to_a_file_and_a_heading_that_are_there() throws IOException {
        for (Path page : pages()) {
            for (Link link : Link.in(page)) {
                assertThat(link.target()).as("link in %s", page).exists();
                assertThat(link.headings()).as("%s of a link in %s", link, page).contains(link.anchor());
            }
        }
    }

    @Test
    void both_readmes_have_the_same_programs_links_and_tables() throws IOException {
        String english = Files.readString(ROOT.resolve("README.md"));
        String spanish = Files.readString(ROOT.resolve("README.es.md"));

        assertThat(structure(spanish)).isEqualTo(structure(english));
    }

    /** What must not differ between two languages: programs, commands without their remarks, rows of tables, headings. */
    private static List<String> structure(String page) {
        return page.lines()
                .filter(line -> line.startsWith("#") || line.startsWith("|") || line.startsWith("./turno"))
                .map(line ->
                        line.replaceAll("#+.*", "#").replaceAll("[^|`]+", "").strip())
                .toList();
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String folder : List.of("docs", "examples", "packaging")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.forEach(pages::add);
            }
        }
        try (Stream<Path> files = Files.list(ROOT)) {
            files.forEach(pages::add);
        }
        pages.removeIf(file -> !file.toString().endsWith(".md"));
        return pages;
    }
}
