package dev.turno.benchmarks;

import dev.turno.benchmarks.page.PerformancePage;
import dev.turno.benchmarks.result.JsonLines;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.result.ResultsFile;
import dev.turno.benchmarks.result.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Runs one workload by name, or all. Figures go to the standard output, what is going on meanwhile to the error stream. */
public final class Bench {

    static final int DONE = 0;
    static final int FAILED = 1;
    static final int WRONG_USAGE = 2;

    private final PrintStream out;
    private final PrintStream err;
    private final List<Workload> workloads;

    Bench(PrintStream out, PrintStream err, List<Workload> workloads) {
        this.out = out;
        this.err = err;
        this.workloads = workloads;
    }

    public static void main(String[] args) {
        System.exit(new Bench(System.out, System.err, Workload.ALL).run(List.of(args)));
    }

    int run(List<String> args) {
        try {
            Choices choices = Choices.of(args);
            return switch (choices.what()) {
                case "all" -> new All(choices, this::progress).run() == 0 ? DONE : FAILED;
                case "report" -> page(choices.files());
                default -> one(choices);
            };
        } catch (IllegalArgumentException wrong) {
            err.println("bench: " + wrong.getMessage());
            err.println(Choices.USAGE);
            err.println(
                    "NAME is one of: " + workloads.stream().map(Workload::name).collect(Collectors.joining(", ")));
            return WRONG_USAGE;
        } catch (IOException | InterruptedException e) {
            e.printStackTrace(err);
            return FAILED;
        }
    }

    private int one(Choices choices) throws IOException {
        Workload workload = workloads.stream()
                .filter(one -> one.name().equals(choices.what()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("cannot run " + choices.what()));
        workload.requireOn(choices.database());
        Report report = measured(workload, choices);
        out.print(choices.json() ? JsonLines.of(report) : Table.of(report));
        out.flush();
        if (choices.out().isPresent()) {
            new ResultsFile(choices.out().get()).add(report);
        }
        report.violations().forEach(violation -> err.println("bench: violated: " + violation));
        return report.violations().isEmpty() ? DONE : FAILED;
    }

    private Report measured(Workload workload, Choices choices) {
        try {
            return workload.benchmark().run(workload.setup(choices.scale(), choices.database(), this::progress));
        } catch (Exception | LinkageError | AssertionError e) {
            err.println("bench: could not be measured");
            e.printStackTrace(err);
            return Report.ofFailure(workload.name(), e);
        }
    }

    private int page(List<Path> results) throws IOException {
        Path page = PerformancePage.write(results, Path.of("docs"));
        progress("written: " + page);
        return DONE;
    }

    private void progress(String line) {
        err.println("bench: " + line);
    }
}
