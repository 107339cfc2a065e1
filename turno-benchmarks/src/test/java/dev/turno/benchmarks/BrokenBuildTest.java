package dev.turno.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A build of Turno with one wrong statement, measured as any other. In the long version only: it is a whole benchmark. */
@EnabledIfSystemProperty(named = "turno.scale", matches = "full")
class BrokenBuildTest {

    private static final String FILE = "dev/turno/sql/h2/inbox.sql";

    @Test
    void a_finish_that_leaves_its_row_to_be_taken_again_fails_the_benchmark(@TempDir Path broken) throws Exception {
        String good = statements();
        String bad = good.replaceFirst("(?s)(-- name: done\\n.*?)turn_at = null", "$1turn_at = turn_at");
        assertThat(bad).isNotEqualTo(good);
        write(broken, bad);

        assertThat(bench(broken))
                .contains("violated")
                .contains("not finished in the database")
                .endsWith("exit 1");
    }

    @Test
    void the_same_with_the_right_statements_does_not(@TempDir Path whole) throws Exception {
        write(whole, statements());

        assertThat(bench(whole)).doesNotContain("violated").endsWith("exit 0");
    }

    private static void write(Path folder, String statements) throws IOException {
        Files.createDirectories(folder.resolve("dev/turno/sql/h2"));
        Files.writeString(folder.resolve(FILE), statements);
    }

    private static String statements() throws IOException {
        try (InputStream in = Bench.class.getResourceAsStream("/" + FILE)) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String bench(Path first) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        first + File.pathSeparator + System.getProperty("java.class.path"),
                        Bench.class.getName(),
                        "throughput",
                        "--tiny",
                        "--db",
                        "h2")
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return said + "exit " + process.waitFor();
    }
}
