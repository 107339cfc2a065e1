package dev.turno.benchmarks.publish;

import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Report;
import dev.turno.harvester.index.FrontendCrosswalk;
import dev.turno.harvester.index.IndexDocument;
import dev.turno.harvester.index.IndexJob;
import dev.turno.harvester.index.IndexKind;
import dev.turno.harvester.index.IndexTarget;
import dev.turno.harvester.index.LuceneTarget;
import dev.turno.harvester.index.SolrTarget;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.StoredRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Records of 3 kB into the frontend index, in pages that are each on disk before the next; then swept and shown. */
public final class IndexBench {

    private static final int WARM_UPS = 4;

    private IndexBench() {}

    public static Report run(boolean quick, Consumer<String> progress) throws Exception {
        List<StoredRecord> records = Articles.of(quick ? 5_000 : 20_000);
        List<Figure> figures = new ArrayList<>();
        List<String> violations = new ArrayList<>();
        Path folder = Files.createTempDirectory("turno-index-bench");
        try (IndexTarget embedded = LuceneTarget.open(IndexKind.FRONTEND, folder.resolve("embedded"))) {
            figures.add(figure("embedded", embedded, records, quick, progress, violations));
        }
        Optional<LocalSolr> solr = LocalSolr.start(folder.resolve("solr"));
        if (solr.isEmpty()) {
            progress.accept("no Solr is measured; ./turno bench would have said where its libraries are");
        } else {
            try (LocalSolr running = solr.get();
                    IndexTarget target = SolrTarget.open(IndexKind.FRONTEND, running.url(), LocalSolr.CORE)) {
                figures.add(figure("solr", target, records, quick, progress, violations));
            }
        }
        remove(folder);
        return new Report(
                "index",
                List.of("records of 3 kB, crosswalk counted, every page on disk; " + WARM_UPS + " rounds warm up"),
                figures,
                Map.of(),
                figures.stream()
                        .map(figure -> Goal.atLeast("documents-per-second-" + figure.who(), 3_000, figure.median()))
                        .toList(),
                violations);
    }

    private static Figure figure(
            String who,
            IndexTarget target,
            List<StoredRecord> records,
            boolean quick,
            Consumer<String> progress,
            List<String> violations) {
        List<Double> rates = new ArrayList<>();
        for (int round = 1; round <= WARM_UPS + (quick ? 2 : 5); round++) {
            double rate = rate(target, records, round);
            progress.accept(who + ", round " + round + ": " + Math.round(rate) + " documents/s");
            if (round > WARM_UPS) {
                rates.add(rate);
            }
            if (target.count(1) != records.size()) {
                violations.add(who + ": " + target.count(1) + " documents of " + records.size());
            }
        }
        return new Figure("full indexing", who, "documents/s", rates);
    }

    private static double rate(IndexTarget target, List<StoredRecord> records, long snapshot) {
        FrontendCrosswalk crosswalk = new FrontendCrosswalk();
        StoredNetwork network = Articles.network();
        long start = System.nanoTime();
        for (int from = 0; from < records.size(); from += IndexJob.PAGE) {
            List<IndexDocument> documents = new ArrayList<>(IndexJob.PAGE);
            for (StoredRecord record : records.subList(from, Math.min(records.size(), from + IndexJob.PAGE))) {
                documents.add(crosswalk.document(network, snapshot, record));
            }
            target.add(documents);
        }
        target.sweep(network.id(), snapshot);
        target.publish();
        return records.size() * 1e9 / (System.nanoTime() - start);
    }

    private static void remove(Path folder) throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
