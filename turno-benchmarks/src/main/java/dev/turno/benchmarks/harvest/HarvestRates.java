package dev.turno.benchmarks.harvest;

import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Ratio;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.server.Server;
import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.DemoRepository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Records per second from a provider on loopback, in pages of a hundred, everybody in turn. */
public final class HarvestRates {

    private static final String WORKLOAD = "harvest, pages of 100";
    private static final int PAGE = 100;

    /** @param warmUps rounds before the first that counts; a compiler that is still at work takes one of two cores */
    private record Size(int records, int warmUps, int rounds) {

        static final Size FULL = new Size(100_000, 10, 7);
        static final Size QUICK = new Size(20_000, 2, 2);
    }

    private final Size size;
    private final Consumer<String> progress;
    private final Contestant turno;
    private final Contestant bare = new BareLoop();
    private final Contestant xoai = new Xoai(false);
    private final Contestant xoaiRaw = new Xoai(true);
    private final List<Contestant> contestants;
    private final Map<Contestant, List<Double>> rates = new LinkedHashMap<>();
    private final Map<Integer, DemoProvider> providers = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    private HarvestRates(Server server, Size size, Consumer<String> progress) {
        this.size = size;
        this.progress = progress;
        this.turno = new TurnoHarvest(server);
        this.contestants = List.of(turno, bare, xoai, xoaiRaw);
    }

    public static Report run(boolean quick, Consumer<String> progress) throws Exception {
        try (Server server = Server.start()) {
            HarvestRates rates = new HarvestRates(server, quick ? Size.QUICK : Size.FULL, progress);
            try {
                return rates.run();
            } finally {
                rates.providers.values().forEach(DemoProvider::close);
            }
        }
    }

    private Report run() throws Exception {
        List<String> notes = List.of(
                size.records() + " records of about 2 KB, " + size.rounds() + " rounds after " + size.warmUps()
                        + " to warm up, provider and client on this machine; the provider has its pages ready",
                "turno: spool and parts forced to disk, zstd, fenced checkpoints in PostgreSQL",
                "bare loop: one file with three of turno's seven columns, zstd too, nothing forced to disk",
                "xoai-service-provider 5.3.0 stores nothing; it is given fewer records");
        notes.forEach(progress);
        for (int warmUp = 0; warmUp < size.warmUps(); warmUp++) {
            for (Contestant contestant : contestants) {
                pass(contestant, size.records());
            }
        }
        for (int round = 1; round <= size.rounds(); round++) {
            List<Contestant> order = new ArrayList<>(contestants);
            Collections.rotate(order, 1 - round);
            for (Contestant contestant : order) {
                double rate = pass(contestant, size.records());
                rates.computeIfAbsent(contestant, key -> new ArrayList<>()).add(rate);
                progress.accept(
                        String.format(Locale.ROOT, "round %d: %s %,.0f records/s", round, contestant.who(), rate));
            }
        }
        return new Report("harvest", notes, figures(), ratios(), goals(), violations);
    }

    private double pass(Contestant contestant, int records) throws Exception {
        int wanted = (int) ((long) records * contestant.share() / 1_000);
        Path folder = Files.createTempDirectory("turno-bench-harvest");
        try {
            Contestant.Harvested got = contestant.harvest(
                    providers.computeIfAbsent(wanted, HarvestRates::provider).url(), folder);
            if (got.records() != wanted) {
                violations.add(contestant.who() + " got " + got.records() + " of " + wanted + " records");
            }
            return wanted / got.seconds();
        } finally {
            remove(folder);
        }
    }

    /** It renders its pages while the contestants warm up, so that it takes little of what is measured. */
    private static DemoProvider provider(int records) {
        try {
            DemoProvider provider = DemoProvider.start(new DemoRepository("bench", records), PAGE, 0);
            provider.keepAnswers();
            return provider;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void remove(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }

    private Figure rate(Contestant contestant) {
        return new Figure(WORKLOAD, contestant.who(), "records/s", rates.getOrDefault(contestant, List.of()));
    }

    private List<Figure> figures() {
        return contestants.stream().map(this::rate).toList();
    }

    private Map<String, Ratio> ratios() {
        Map<String, Ratio> ratios = new LinkedHashMap<>();
        ratios.put("turno / xoai default", rate(turno).ratioTo(rate(xoai)));
        ratios.put("turno / xoai raw", rate(turno).ratioTo(rate(xoaiRaw)));
        ratios.put("turno / bare loop", rate(turno).ratioTo(rate(bare)));
        return ratios;
    }

    private List<Goal> goals() {
        return List.of(
                Goal.atLeast("harvest-to-xoai-default", 9, rate(turno).ratioTo(rate(xoai))),
                Goal.atLeast("harvest-to-xoai-raw", 2, rate(turno).ratioTo(rate(xoaiRaw))),
                Goal.atLeast("harvest-to-bare-loop", 0.8, rate(turno).ratioTo(rate(bare))));
    }
}
