package dev.turno.harvester.index;

import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.NetworkProperty;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.OaiRecord;
import dev.turno.harvester.record.RecordStatus;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.rules.FieldXml;
import dev.turno.harvester.rules.Fields;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Networks and records for tests. */
public final class Items {

    private static final FieldXml XML = new FieldXml();

    private Items() {}

    public static StoredNetwork network(long id, String acronym) {
        Network network = new Network(
                acronym,
                "Network " + acronym,
                "Institution of " + acronym,
                "INST",
                "https://example.org/oai",
                "oai_dc",
                List.of(),
                Map.of(),
                EnumSet.noneOf(NetworkProperty.class),
                true,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new StoredNetwork(id, network);
    }

    public static Fields fields(int number, String title) {
        return new Fields()
                .add("dc.title", title)
                .add("dc.creator", "Pérez, Ana " + number)
                .add("dc.contributor", "Universidad de Ejemplo")
                .add("dc.subject", "subject " + number % 17)
                .add("dc.subject", "Biología")
                .add("dc.description", "A text about thing number " + number + ", its growth and its decline.")
                .add("dc.date", (1990 + number % 36) + "-05-01")
                .add("dc.type", "info:eu-repo/semantics/article")
                .add("dc.rights", "info:eu-repo/semantics/openAccess")
                .add("dc.language", number % 2 == 0 ? "spa" : "eng")
                .add("dc.publisher", "Editorial Ejemplo")
                .add("dc.identifier", "https://example.org/item/" + number);
    }

    public static StoredRecord record(int number, String title) {
        return of(number, false, XML.write(fields(number, title)), RecordStatus.VALID);
    }

    public static StoredRecord deleted(int number) {
        return of(number, true, "", RecordStatus.DELETED);
    }

    public static StoredRecord of(int number, boolean deleted, String xml, RecordStatus status) {
        OaiRecord record = new OaiRecord(
                "oai:example.org:" + number,
                Instant.parse("2026-01-01T00:00:00Z").plusSeconds(number),
                deleted,
                List.of("set" + number % 3),
                "oai_dc",
                xml);
        return new StoredRecord(record, 1, status, Optional.empty(), "");
    }
}
