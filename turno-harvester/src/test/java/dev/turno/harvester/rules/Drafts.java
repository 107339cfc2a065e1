package dev.turno.harvester.rules;

import java.time.Instant;
import java.util.List;

/** Records for tests. */
final class Drafts {

    static final Origin ORIGIN = new Origin(
            "A:B*",
            "The Network",
            "INST",
            "The Institution",
            "https://example.org/oai",
            "oai_dc",
            Instant.parse("2026-01-02T03:04:05Z"),
            List.of("set"));

    private Drafts() {}

    static Draft of(String... fieldsAndValues) {
        Fields fields = new Fields();
        for (int i = 0; i < fieldsAndValues.length; i += 2) {
            fields.add(fieldsAndValues[i], fieldsAndValues[i + 1]);
        }
        return new Draft("oai:example.org:handle/10", ORIGIN, fields);
    }
}
