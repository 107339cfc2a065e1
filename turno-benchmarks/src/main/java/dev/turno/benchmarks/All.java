package dev.turno.benchmarks;

import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.result.ResultsFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Every workload after the other, each in a process of its own: nobody meets code that was compiled, or threads that were left, for
 * somebody else, and one that fails or hangs does not take the others' results along.
 */
final class All {

    private static final Path RESULTS = Path.of("target", "bench");
    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("uuuu-MM-dd-HHmmss", Locale.ROOT);
    private static final Duration TO_END = Duration.ofSeconds(30);

    private final Choices choices;
    private final ResultsFile results;
    private final Consumer<String> progress;
    private final long started = System.nanoTime();

    All(Choices choices, Consumer<String> progress) {
        this.choices = choices;
        this.results = new ResultsFile(choices.out().orElseGet(All::usualPlace));
        this.progress = progress;
    }

    private static Path usualPlace() {
        return RESULTS.resolve("results-" + NAME.format(LocalDateTime.now(ZoneOffset.UTC)) + ".jsonl");
    }

    /** Answers how many workloads failed. */
    int run() throws IOException, InterruptedException {
        results.begin(Machine.describe(choices));
        if (Machine.load() > Machine.QUIET) {
            say("this machine is busy: its load is %.1f. Ratios will be spread, and some will say nothing."
                    .formatted(Machine.load()));
        }
        List<Workload> workloads =
                Workload.allOf(choices.scale(), choices.database()).toList();
        List<String> failed = new ArrayList<>();
        for (int i = 0; i < workloads.size(); i++) {
            Workload workload = workloads.get(i);
            say("%s (%d of %d), about %s"
                    .formatted(workload.name(), i + 1, workloads.size(), minutes(budget(workload))));
            if (!succeeds(workload)) {
                failed.add(workload.name());
            }
        }
        say(failed.isEmpty() ? "all measured" : "failed: " + String.join(", ", failed));
        say("the results are in " + results.path());
        return failed.size();
    }

    private Duration budget(Workload workload) {
        return workload.budget(choices.scale());
    }

    private boolean succeeds(Workload workload) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(workload)).inheritIO().start();
        // Rounds are left out when time gets short; who is late all the same hangs.
        boolean ended = process.waitFor(budget(workload).toMillis() * 3 / 2 + TO_END.toMillis(), TimeUnit.MILLISECONDS);
        if (!ended) {
            end(process);
        }
        int code = ended ? process.exitValue() : -1;
        if (code != Bench.DONE && code != Bench.FAILED) {
            String why = ended
                    ? "its process ended with " + code
                    : "it was ended after " + minutes(budget(workload)) + " and a half";
            results.add(Report.ofFailure(workload.name(), new IllegalStateException(why)));
            progress.accept(workload.name() + ": " + why);
        }
        return code == Bench.DONE;
    }

    private List<String> command(Workload workload) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+ExitOnOutOfMemoryError");
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("turno."))
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Bench.class.getName()));
        command.addAll(choices.forOne(workload, results.path()));
        return command;
    }

    /** Its databases go with it. */
    private static void end(Process process) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(TO_END.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    private void say(String what) {
        progress.accept("[" + minutes(Duration.ofNanos(System.nanoTime() - started)) + "] " + what);
    }

    private static String minutes(Duration time) {
        return String.format(Locale.ROOT, "%d:%02d min", time.toMinutes(), time.toSecondsPart());
    }
}
