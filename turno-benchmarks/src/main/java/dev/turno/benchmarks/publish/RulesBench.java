package dev.turno.benchmarks.publish;

import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Report;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.rules.Draft;
import dev.turno.harvester.rules.FieldXml;
import dev.turno.harvester.rules.Judgement;
import dev.turno.harvester.rules.Origin;
import dev.turno.harvester.rules.Pipeline;
import dev.turno.harvester.rules.Purpose;
import dev.turno.harvester.rules.Quantifier;
import dev.turno.harvester.rules.Rule;
import dev.turno.harvester.rules.RuleSet;
import dev.turno.harvester.rules.UrlStates;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Ten validators and ten transformers over records of 3 kB, on one thread: XML in, judgement and XML out. */
public final class RulesBench {

    private static final Origin ORIGIN = new Origin(
            "BENCH", "Network", "I", "Institution", "https://example.org/oai", "oai_dc", Instant.EPOCH, List.of());

    private RulesBench() {}

    public static Report run(boolean quick, Consumer<String> progress) {
        List<StoredRecord> records = Articles.of(quick ? 2_000 : 10_000);
        Pipeline pipeline = Pipeline.of(
                Optional.empty(),
                List.of(transformers()),
                Optional.of(validators()),
                UrlStates.unknown(),
                Clock.systemUTC());
        List<String> violations = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        for (int round = 0; round < (quick ? 9 : 16); round++) {
            double rate = rate(pipeline, records, violations);
            progress.accept("round " + round + ": " + Math.round(rate) + " records/s");
            if (round >= 6) {
                rates.add(rate);
            }
        }
        Figure figure = new Figure("10 validators, 10 transformers", "turno", "records/s per core", rates);
        return new Report(
                "rules",
                List.of("records of 3 kB, one thread; reading and writing their XML is counted"),
                List.of(figure),
                Map.of(),
                List.of(Goal.atLeast("rules-per-second", 5_000, figure.median())),
                violations);
    }

    private static double rate(Pipeline pipeline, List<StoredRecord> records, List<String> violations) {
        FieldXml xml = new FieldXml();
        long start = System.nanoTime();
        int valid = 0;
        long written = 0;
        for (StoredRecord record : records) {
            Judgement judgement = pipeline.judge(new Draft(
                    record.identifier(), ORIGIN, xml.read(record.record().xml())));
            valid += judgement.valid() ? 1 : 0;
            written += judgement.changed() ? xml.write(judgement.fields()).length() : 0;
        }
        double rate = records.size() * 1e9 / (System.nanoTime() - start);
        if (valid != records.size() || written == 0) {
            violations.add(valid + " of " + records.size() + " records were valid, " + written + " characters written");
        }
        return rate;
    }

    private static RuleSet validators() {
        return new RuleSet(
                "validators",
                Purpose.VALIDATION,
                "",
                List.of(
                        Rule.of("title", "length", Map.of("field", "dc.title", "least", 5, "most", 1_000)),
                        Rule.of("creator", "occurrences", Map.of("field", "dc.creator")),
                        Rule.of(
                                "type",
                                "controlled",
                                Map.of("field", "dc.type", "values", List.of("article", "thesis"))),
                        Rule.of(
                                "language",
                                "controlled-list",
                                Map.of("field", "dc.language", "values", List.of("spa", "eng"))),
                        Rule.of("date", "year", Map.of("field", "dc.date", "before", 100, "after", 1)),
                        Rule.of(
                                "rights",
                                "regex",
                                Map.of("field", "dc.rights", "pattern", "info:eu-repo/semantics/[A-Za-z]+")),
                        Rule.of("link", "regex", Map.of("field", "dc.identifier", "pattern", "https?://.+")),
                        Rule.of(
                                "doi",
                                "regex",
                                Map.of("field", "dc.identifier", "pattern", "https://doi\\.org/10\\.[0-9]+/.+")),
                        Rule.of(
                                "open",
                                "expression",
                                Map.of("expression", "dc.rights =% '.*openAccess' AND NOT dc.type == 'x'")),
                        Rule.of("subjects", "length", Map.of("field", "dc.subject", "least", 2))
                                .with(Quantifier.ALL)));
    }

    private static RuleSet transformers() {
        return new RuleSet(
                "transformers",
                Purpose.TRANSFORMATION,
                "",
                List.of(
                        Rule.of("trim", "trim", Map.of("field", "dc.subject")),
                        Rule.of("empty", "remove-empty", Map.of()),
                        Rule.of("duplicates", "remove-duplicates", Map.of("field", "dc.subject")),
                        Rule.of(
                                "language",
                                "translate",
                                Map.of("field", "dc.language", "table", Map.of("es", "spa", "en", "eng"))),
                        Rule.of(
                                "doi",
                                "regex-translate",
                                Map.of(
                                        "field",
                                        "dc.identifier",
                                        "pattern",
                                        "^doi: (10\\..*)$",
                                        "replacement",
                                        "https://doi.org/$1")),
                        Rule.of(
                                "open",
                                "add-when",
                                Map.of(
                                        "field",
                                        "dc.coverage",
                                        "value",
                                        "open",
                                        "expression",
                                        "dc.rights =% '.*openAccess'")),
                        Rule.of("name", "add-repository-name", Map.of("field", "dc.source")),
                        Rule.of("provenance", "add-provenance", Map.of()),
                        Rule.of(
                                "black",
                                "remove-blacklisted",
                                Map.of("field", "dc.publisher", "values", List.of("n/a"))),
                        Rule.of("heavy", "reduce", Map.of())));
    }
}
