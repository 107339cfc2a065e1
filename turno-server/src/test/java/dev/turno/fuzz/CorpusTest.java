package dev.turno.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every input of the corpus, those that once were findings among them. */
@Tag("security")
class CorpusTest {

    /** For all inputs of a target, on a machine as busy as it likes. A parser that can be kept busy would take hours. */
    private static final Duration LONGEST = Duration.ofMinutes(3);

    @ParameterizedTest
    @EnumSource
    void nothing_in_the_corpus_is_a_finding(Target target) throws IOException {
        List<Path> inputs = inputs(target);
        List<String> findings = assertTimeoutPreemptively(LONGEST, () -> findings(target, inputs));

        assertThat(inputs).hasSizeGreaterThanOrEqualTo(5);
        assertThat(findings).isEmpty();
    }

    private static List<String> findings(Target target, List<Path> inputs) throws IOException {
        List<String> findings = new ArrayList<>();
        for (Path input : inputs) {
            byte[] bytes = Files.readAllBytes(input);
            try {
                target.accept(bytes);
            } catch (Throwable finding) {
                findings.add(input + ": " + finding);
            }
        }
        return findings;
    }

    private static List<Path> inputs(Target target) throws IOException {
        try (Stream<Path> files = Files.list(target.corpus())) {
            return files.sorted().toList();
        }
    }
}
