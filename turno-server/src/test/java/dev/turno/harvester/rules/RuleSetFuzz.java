package dev.turno.harvester.rules;

import static dev.turno.fuzz.Property.holds;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** A set of rules as JSON: refused by name, or the same when written again, and then it judges a record without a word. */
public final class RuleSetFuzz {

    private static final RuleJson JSON = new RuleJson();
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Origin ORIGIN = new Origin(
            "NET", "The Network", "INST", "The Institution", "https://example.org", "oai_dc", NOW, List.of("s"));

    private RuleSetFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        RuleSet set;
        try {
            set = JSON.read(new String(input, StandardCharsets.UTF_8));
        } catch (RuleException | ExpressionException refused) {
            return;
        }
        String written = JSON.write(set);
        holds(JSON.write(JSON.read(written)).equals(written), "what is written is read as the same");
        judge(set);
    }

    private static void judge(RuleSet set) {
        boolean validates = set.purpose() == Purpose.VALIDATION;
        Pipeline pipeline = Pipeline.of(
                Optional.empty(),
                validates ? List.of() : List.of(set),
                validates ? Optional.of(set) : Optional.empty(),
                UrlStates.unknown(),
                Clock.fixed(NOW, ZoneOffset.UTC));
        Fields fields = new Fields()
                .add("dc.title", "On turns, and how they are taken")
                .add("dc.date", "2026-01-02")
                .add("dc.type", "info:eu-repo/semantics/article")
                .add("dc.identifier", "https://example.org/1");
        Judgement judgement = pipeline.judge(new Draft("oai:example.org:1", ORIGIN, fields));
        holds(
                judgement.findings().size() == (validates ? set.rules().size() : 0),
                "each rule of a validator has a finding");
    }
}
