package dev.turno.benchmarks.publish;

import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.OaiRecord;
import dev.turno.harvester.record.RecordStatus;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.rules.FieldXml;
import dev.turno.harvester.rules.Fields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Generated records of about 3 kB, as repositories have them. */
final class Articles {

    private static final String[] WORDS =
            ("growth decline river soil model city school water light energy method result region population sample "
                            + "analysis structure cell protein market policy history language theory practice network system child health")
                    .split(" ");

    private Articles() {}

    static StoredNetwork network() {
        return new StoredNetwork(1, Network.of("BENCH", "https://example.org/oai"));
    }

    static List<StoredRecord> of(int count) {
        FieldXml xml = new FieldXml();
        Random dice = new Random(1);
        List<StoredRecord> records = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            records.add(record(i, xml.write(fields(i, dice))));
        }
        return records;
    }

    private static StoredRecord record(int number, String metadata) {
        OaiRecord record = new OaiRecord(
                "oai:example.org:" + number,
                Instant.parse("2026-01-01T00:00:00Z").plusSeconds(number),
                false,
                List.of("articles"),
                "oai_dc",
                metadata);
        return new StoredRecord(record, 1, RecordStatus.VALID, Optional.empty(), "");
    }

    private static Fields fields(int number, Random dice) {
        Fields fields = new Fields().add("dc.title", words(dice, 12));
        for (int i = 0; i < 4; i++) {
            fields.add("dc.creator", words(dice, 1) + ", " + words(dice, 1));
            fields.add("dc.subject", " " + words(dice, 2) + "  ");
        }
        return fields.add("dc.description", words(dice, 250))
                .add("dc.description", words(dice, 80))
                .add("dc.publisher", "Editorial " + words(dice, 2))
                .add("dc.date", (1990 + number % 36) + "-05-01")
                .add("dc.type", "info:eu-repo/semantics/article")
                .add("dc.type", "article")
                .add("dc.language", number % 2 == 0 ? "es" : "en")
                .add("dc.rights", "info:eu-repo/semantics/openAccess")
                .add("dc.identifier", "https://example.org/item/" + number)
                .add("dc.identifier", "doi: 10.1234/" + number);
    }

    private static String words(Random dice, int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : " ").append(WORDS[dice.nextInt(WORDS.length)]);
        }
        return text.toString();
    }
}
