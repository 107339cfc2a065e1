package dev.turno.benchmarks;

import dev.turno.benchmarks.buffers.BufferRates;
import dev.turno.benchmarks.burst.Burst;
import dev.turno.benchmarks.certification.CertificationRates;
import dev.turno.benchmarks.chunks.Chunks;
import dev.turno.benchmarks.growth.Growth;
import dev.turno.benchmarks.harvest.HarvestRates;
import dev.turno.benchmarks.http.HttpPuts;
import dev.turno.benchmarks.latency.Latency;
import dev.turno.benchmarks.locks.LockRates;
import dev.turno.benchmarks.publish.IndexBench;
import dev.turno.benchmarks.publish.RulesBench;
import dev.turno.benchmarks.put.PutRates;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Scale;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.throughput.Throughput;
import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One thing that can be measured.
 *
 * @param full how long it may take
 * @param quick how long a look may take; zero: it is left out of a look at everything
 * @param databases those on which it can be measured
 */
record Workload(String name, Duration full, Duration quick, Set<TestDatabase> databases, Benchmark benchmark) {

    @FunctionalInterface
    interface Benchmark {
        Report run(Setup setup) throws Exception;
    }

    private static final Set<TestDatabase> POSTGRES = EnumSet.of(TestDatabase.POSTGRESQL);
    private static final Set<TestDatabase> ANY = EnumSet.allOf(TestDatabase.class);

    /** In the order in which they run. Together they take less than two hours, or a quarter of one. */
    static final List<Workload> ALL = List.of(
            of("throughput", 18, 160, ANY, Throughput::run),
            of("put", 8, 70, ANY, PutRates::run),
            of("latency", 9, 75, POSTGRES, Latency::run),
            of("burst", 16, 140, POSTGRES, Burst::run),
            of("locks", 7, 45, ANY, LockRates::run),
            of("buffers", 5, 50, POSTGRES, BufferRates::run),
            of("chunks", 7, 45, POSTGRES, Chunks::run),
            of("http", 2, 55, POSTGRES, HttpPuts::run),
            of("certification", 6, 85, POSTGRES, CertificationRates::run),
            of("harvest", 5, 45, POSTGRES, setup -> HarvestRates.run(!setup.isFull(), setup.progress())),
            of("rules", 2, 30, POSTGRES, setup -> RulesBench.run(!setup.isFull(), setup.progress())),
            of("index", 3, 45, POSTGRES, setup -> IndexBench.run(!setup.isFull(), setup.progress())),
            of("growth", 14, 0, POSTGRES, Growth::run));

    private static Workload of(
            String name, int minutes, int seconds, Set<TestDatabase> databases, Benchmark benchmark) {
        return new Workload(name, Duration.ofMinutes(minutes), Duration.ofSeconds(seconds), databases, benchmark);
    }

    /** What a run of everything consists of. */
    static Stream<Workload> allOf(Scale scale, TestDatabase database) {
        return ALL.stream()
                .filter(workload -> workload.databases().contains(database))
                .filter(workload -> !workload.budget(scale).isZero());
    }

    Duration budget(Scale scale) {
        return scale == Scale.FULL ? full : quick;
    }

    /** Asked for by its name alone, it may take a while even if it is left out of a look at everything. */
    Setup setup(Scale scale, TestDatabase database, Consumer<String> progress) {
        Duration budget = budget(scale).isZero() ? full.dividedBy(4) : budget(scale);
        return new Setup(scale, database, budget, progress);
    }

    void requireOn(TestDatabase database) {
        if (!databases.contains(database)) {
            throw new IllegalArgumentException("The workload '" + name + "' is measured on "
                    + databases.toString().toLowerCase(Locale.ROOT) + ", not on "
                    + database.name().toLowerCase(Locale.ROOT) + ".");
        }
    }
}
