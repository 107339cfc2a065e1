package dev.turno.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {

    @Test
    void the_first_example_runs_as_it_stands(@TempDir Path directory) throws Exception {
        String program = Page.of("README.md").programs().get(0);

        String printed = Page.run(program, directory);

        assertThat(printed).contains("Stored[]").contains("Duplicate[").containsOnlyOnce("handling order-1, attempt 1");
        assertThat(program.lines().count()).isLessThanOrEqualTo(22);
    }

    private static String program(String name) throws IOException {
        return Page.of("README.md").programs().stream()
                .filter(text -> text.contains("class " + name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void the_example_of_the_buffers_runs_as_it_stands(@TempDir Path directory) throws Exception {
        String program = program("Chat");

        assertThat(Page.run(program, directory)).containsOnlyOnce("+34600000001 says: hola / quiero reserva");
    }

    @Test
    void the_example_of_the_locks_runs_as_it_stands(@TempDir Path directory) throws Exception {
        String program = program("Report");

        assertThat(Page.run(program, directory)).contains("written under fence 1");
    }

    @Test
    void the_example_of_the_tasks_runs_as_it_stands(@TempDir Path directory) throws Exception {
        String program = program("Reminders");

        assertThat(Page.run(program, directory))
                .contains("reminding Ada")
                .doesNotContain("reminding Bob")
                .contains("Changed[]")
                .contains("02:30:00 Europe/Berlin");
    }

    @Test
    void the_example_of_the_runs_runs_as_it_stands(@TempDir Path directory) throws Exception {
        String program = program("Prices");

        assertThat(Page.run(program, directory)).contains("completed=1000");
    }

    @Test
    void every_link_to_a_file_leads_somewhere() throws IOException {
        Pattern link = Pattern.compile("\\]\\((?!http)([^)#]+)");
        for (String page : new String[] {"README.md", "docs/states.md", "docs/guarantees.md", "CONTRIBUTING.md"}) {
            Path at = Path.of("..").resolve(page);
            link.matcher(Files.readString(at))
                    .results()
                    .map(found -> found.group(1))
                    .forEach(target -> assertThat(at.resolveSibling(target))
                            .as("link in %s", page)
                            .exists());
        }
    }
}
