package dev.turno.benchmarks;

import dev.turno.benchmarks.buffers.BufferRates;
import dev.turno.benchmarks.burst.Burst;
import dev.turno.benchmarks.certification.CertificationRates;
import dev.turno.benchmarks.chunks.Chunks;
import dev.turno.benchmarks.growth.Growth;
import dev.turno.benchmarks.harvest.HarvestRates;
import dev.turno.benchmarks.http.HttpPuts;
import dev.turno.benchmarks.locks.LockRates;
import dev.turno.benchmarks.publish.IndexBench;
import dev.turno.benchmarks.publish.RulesBench;
import dev.turno.benchmarks.result.JsonLines;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.result.Table;
import dev.turno.benchmarks.throughput.Throughput;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Runs one benchmark by name. Figures go to the standard output, what is going on meanwhile to the error stream. */
public final class Bench {

    @FunctionalInterface
    private interface Benchmark {
        Report run(boolean quick, Consumer<String> progress) throws Exception;
    }

    private static final int DONE = 0;
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;
    private static final String JSON = "--json";
    private static final String QUICK = "--quick";

    private final Map<String, Benchmark> benchmarks = new LinkedHashMap<>();
    private final PrintStream out;
    private final PrintStream err;

    private Bench(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
        benchmarks.put("throughput", Bench::throughput);
        benchmarks.put("growth", Growth::run);
        benchmarks.put("locks", LockRates::run);
        benchmarks.put("buffers", BufferRates::run);
        benchmarks.put("http", HttpPuts::run);
        benchmarks.put("burst", Burst::run);
        benchmarks.put("chunks", Chunks::run);
        benchmarks.put("rules", RulesBench::run);
        benchmarks.put("index", IndexBench::run);
        benchmarks.put("harvest", HarvestRates::run);
        benchmarks.put("certification", CertificationRates::run);
    }

    public static void main(String[] args) {
        System.exit(new Bench(System.out, System.err).run(List.of(args)));
    }

    /** A quick look leaves out growth, which takes minutes however few rows it has. */
    private static Report throughput(boolean quick, Consumer<String> progress) throws Exception {
        Report report = Throughput.run(quick, progress);
        return quick ? report : report.with(growthOrWhyNot(progress));
    }

    /** What was measured before is told in any case. */
    private static Report growthOrWhyNot(Consumer<String> progress) {
        try {
            return Growth.run(false, progress);
        } catch (Exception e) {
            return Report.ofFailure("growth", e);
        }
    }

    private int run(List<String> args) {
        List<String> names = new ArrayList<>(args);
        names.removeAll(Set.of(JSON, QUICK));
        Benchmark benchmark = names.size() == 1 ? benchmarks.get(names.get(0)) : null;
        if (benchmark == null) {
            err.println("bench: " + (names.isEmpty() ? "no benchmark named" : "cannot run " + String.join(" ", names)));
            err.println("usage: ./turno bench NAME [" + JSON + "] [" + QUICK + "]");
            err.println("NAME is one of: " + String.join(", ", benchmarks.keySet()));
            return WRONG_USAGE;
        }
        try {
            Report report = benchmark.run(args.contains(QUICK), this::progress);
            out.print(args.contains(JSON) ? JsonLines.of(report) : Table.of(report));
            out.flush();
            report.violations().forEach(violation -> err.println("bench: violated: " + violation));
            return report.violations().isEmpty() ? DONE : FAILED;
        } catch (Exception e) {
            err.println("bench: could not be measured");
            e.printStackTrace(err);
            return FAILED;
        }
    }

    private void progress(String line) {
        err.println("bench: " + line);
    }
}
