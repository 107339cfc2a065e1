package dev.turno.harvester.index;

import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.OaiRecord;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.rules.FieldXml;
import dev.turno.harvester.rules.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Records to the items that the OAI-PMH provider serves. A record that is deleted or not valid becomes an item that says so: those
 * who harvested it before must learn that it is gone. The moment of its last change is added by who indexes it.
 */
public final class XoaiCrosswalk implements Crosswalk {

    private final FieldXml xml = new FieldXml();

    @Override
    public IndexDocument document(StoredNetwork stored, long snapshot, StoredRecord record) {
        boolean deleted = !IndexJob.isShown(stored, record);
        IndexDocument document = frame(stored, snapshot, record.record(), deleted);
        if (!deleted) {
            Fields fields = xml.read(record.published());
            document.add("item.compile", xml.writeDublinCore(fields));
            for (String name : fields.names()) {
                document.addAll("metadata." + name, fields.of(name));
            }
        }
        return document;
    }

    private static IndexDocument frame(StoredNetwork stored, long snapshot, OaiRecord record, boolean deleted) {
        Network network = stored.network();
        return new IndexDocument(IndexDocument.idOf(stored.id(), record.identifier()))
                .add("item.handle", record.identifier())
                .add("item.public", Boolean.toString(network.published()))
                .add("item.deleted", Boolean.toString(deleted))
                .add("item.network", network.acronym())
                .add("item.origin", network.originUrl())
                .add("item.datestamp", record.datestamp().toString())
                .add("item.prefix", record.metadataPrefix())
                .addAll("item.collections", sets(network.acronym(), record.sets()))
                .add(IndexKind.XOAI.networkField(), Long.toString(stored.id()))
                .add(IndexKind.XOAI.snapshotField(), Long.toString(snapshot));
    }

    /** The network is a set of its own, and the sets of its source lie below it. */
    static List<String> sets(String acronym, List<String> ofSource) {
        String network = setName(acronym);
        List<String> sets = new ArrayList<>(List.of(network));
        ofSource.forEach(set -> {
            String name = network;
            for (String part : set.split(":", -1)) {
                name += part.isEmpty() ? "" : ":" + setName(part);
                if (!sets.contains(name)) {
                    sets.add(name);
                }
            }
        });
        return sets;
    }

    /** A part of a set's name has only a few characters besides letters and digits; others become {@code !} and their code. */
    static String setName(String text) {
        StringBuilder name = new StringBuilder();
        text.codePoints().forEach(c -> {
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "-_.~*'()".indexOf(c) >= 0;
            name.append(plain ? Character.toString(c) : String.format(Locale.ROOT, "!%04X", c));
        });
        return name.toString();
    }
}
