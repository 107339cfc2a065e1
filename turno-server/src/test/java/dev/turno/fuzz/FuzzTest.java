package dev.turno.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.testkit.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few seconds by Jazzer itself; {@code ./turno fuzz} takes longer. */
@Tag("security")
class FuzzTest {

    private static final Duration END = Duration.ofMinutes(2);

    @Test
    void five_hundred_inputs_of_jazzer_find_nothing(@TempDir Path folder) throws IOException {
        Path corpus = Files.createDirectory(folder.resolve("corpus"));
        for (Target target : Target.steady()) {
            copy(target, corpus);
        }

        // Always the same inputs: what is new is found by ./turno fuzz, and not by whoever happens to run the tests.
        try (ChildProcess jazzer =
                Jazzers.start(EveryTarget.class, END, folder, List.of(corpus), "-seed=1", "-runs=500")) {
            int exit = jazzer.awaitExit(END.multipliedBy(2));

            if (exit != 0) {
                throw jazzer.failure("found something");
            }
            assertThat(jazzer.lines()).anyMatch(line -> line.matches("stat::number_of_executed_units: +[1-9][0-9]+"));
        }
    }

    @Test
    void a_mistake_that_was_planted_is_found(@TempDir Path found) {
        try (ChildProcess jazzer = Jazzers.start(PlantedMistake.class, END, found, List.of(), "-seed=1")) {
            assertThat(jazzer.awaitExit(END.multipliedBy(2))).isEqualTo(Jazzers.FOUND);
            assertThat(jazzer.lines()).anyMatch(line -> line.contains("the planted mistake is not found"));
        }
    }

    /** The first byte says to {@link EveryTarget} whose it is. */
    private static void copy(Target target, Path to) throws IOException {
        try (Stream<Path> files = Files.list(target.corpus())) {
            for (Path file : files.toList()) {
                byte[] input = Files.readAllBytes(file);
                byte[] marked = new byte[input.length + 1];
                marked[0] = (byte) Target.steady().indexOf(target);
                System.arraycopy(input, 0, marked, 1, input.length);
                Files.write(to.resolve(target.label() + "-" + file.getFileName()), marked);
            }
        }
    }
}
