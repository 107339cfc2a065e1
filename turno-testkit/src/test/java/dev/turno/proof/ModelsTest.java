package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The models hold and every mutant of them is caught: the short version of {@code ./turno models}. */
class ModelsTest {

    private static final int NO_TOOLS = 3;

    @Test
    void the_models_hold_and_each_of_their_mutants_is_caught() throws IOException, InterruptedException {
        Process check = new ProcessBuilder(Path.of("..", "models", "check").toString(), "--short")
                .redirectErrorStream(true)
                .start();
        String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = check.waitFor();
        System.out.print(said);

        assumeTrue(code != NO_TOOLS, said);

        assertThat(code).as(said).isZero();
        assertThat(said.lines().filter(line -> line.endsWith("holds"))).hasSize(5);
        assertThat(said.lines().filter(line -> line.contains("caught: "))).hasSizeGreaterThan(30);
    }
}
