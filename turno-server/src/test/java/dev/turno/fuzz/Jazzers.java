package dev.turno.fuzz;

import com.code_intelligence.jazzer.Jazzer;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Starts Jazzer, in a process of its own. */
final class Jazzers {

    /** Its exit code when it has found something. */
    static final int FOUND = 77;

    // A rule's regular expression is its author's to choose; everything else that Jazzer watches for would be a hole.
    private static final String MEANT = "com.code_intelligence.jazzer.sanitizers.RegexInjection";

    private static final Path QUIET = Path.of("src", "test", "fuzz", "logback.xml");

    private Jazzers() {}

    /**
     * @param found where inputs go that are findings
     * @param corpora inputs to begin with; new ones that lead somewhere are kept in the first
     */
    static ChildProcess start(Class<?> target, Duration time, Path found, List<Path> corpora, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--target_class=" + target.getName(),
                "--instrumentation_includes=dev.turno.**:com.fasterxml.aalto.**",
                "--disabled_hooks=" + MEANT,
                "--reproducer_path=" + found,
                "-artifact_prefix=" + found + "/",
                "-max_total_time=" + Math.max(1, time.toSeconds()),
                "-timeout=60", // the first input of a target starts what it needs
                "-max_len=8192",
                "-use_value_profile=1",
                "-print_final_stats=1"));
        arguments.addAll(List.of(more));
        corpora.forEach(corpus -> arguments.add(corpus.toString()));
        return Launch.main(Jazzer.class)
                .jvmOptions("-Xmx512m", "-Xss1m", "-Dlogback.configurationFile=" + QUIET)
                .errorsInOutput()
                .arguments(arguments.toArray(String[]::new))
                .start();
    }
}
