package dev.turno.harvester.index;

import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.rules.FieldXml;
import dev.turno.harvester.rules.Fields;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Dublin Core to the fields of VuFind's index. */
public final class FrontendCrosswalk implements Crosswalk {

    /** The text of a record's files. */
    @FunctionalInterface
    public interface Fulltexts {
        Optional<String> of(StoredNetwork network, String identifier);
    }

    private static final int LONGEST_SORT = 200;
    private static final Pattern YEAR = Pattern.compile("(?<![0-9])(1[0-9]{3}|2[0-9]{3})(?![0-9])");
    private static final String RIGHTS = "info:eu-repo/semantics/";
    private static final Pattern TYPE = Pattern.compile("(?:info:eu-repo/semantics/)?([A-Za-z][A-Za-z ]*)");

    private final FieldXml xml = new FieldXml();
    private final Fulltexts fulltexts;

    /** Without the text of files. */
    public FrontendCrosswalk() {
        this((network, identifier) -> Optional.empty());
    }

    public FrontendCrosswalk(Fulltexts fulltexts) {
        this.fulltexts = fulltexts;
    }

    @Override
    public IndexDocument document(StoredNetwork stored, long snapshot, StoredRecord record) {
        Fields fields = xml.read(record.published());
        Network network = stored.network();
        IndexDocument document = new IndexDocument(IndexDocument.idOf(stored.id(), record.identifier()));
        titles(document, fields);
        people(document, fields);
        document.addAll("topic", fields.of("dc.subject"));
        first(fields, "dc.description").ifPresent(text -> document.add("description", text));
        document.addAll("publisher", fields.of("dc.publisher"));
        document.addAll("publishDate", years(fields));
        document.addAll("language", fields.of("dc.language"));
        document.addAll("format", types(fields));
        document.addAll(
                "url",
                fields.of("dc.identifier").stream()
                        .filter(FrontendCrosswalk::isUrl)
                        .toList());
        document.addAll("identifier_str_mv", fields.of("dc.identifier"));
        document.addAll(
                "eu_rights_str_mv",
                fields.of("dc.rights").stream()
                        .filter(right -> right.startsWith(RIGHTS))
                        .map(right -> right.substring(RIGHTS.length()))
                        .toList());
        origin(document, stored, snapshot, record);
        document.add("allfields", allText(fields, network));
        fulltexts.of(stored, record.identifier()).ifPresent(text -> document.add("fulltext", text));
        return document;
    }

    private static void titles(IndexDocument document, Fields fields) {
        String title = first(fields, "dc.title").orElse("");
        document.add("title", title);
        document.add("title_short", title);
        document.add("title_full", title);
        document.add("title_sort", sortable(title));
    }

    private static String sortable(String title) {
        String lower = title.toLowerCase(Locale.ROOT);
        return lower.length() <= LONGEST_SORT ? lower : lower.substring(0, LONGEST_SORT);
    }

    private static void people(IndexDocument document, Fields fields) {
        document.addAll("author", fields.of("dc.creator"));
        document.addAll("author2", fields.of("dc.contributor"));
    }

    private static List<String> years(Fields fields) {
        return fields.of("dc.date").stream()
                .map(YEAR::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1))
                .distinct()
                .toList();
    }

    /** A type of Dublin Core may be an address of a vocabulary; only words are shown to people. */
    private static List<String> types(Fields fields) {
        return fields.of("dc.type").stream()
                .map(TYPE::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .distinct()
                .toList();
    }

    private static boolean isUrl(String text) {
        return text.startsWith("http://") || text.startsWith("https://");
    }

    private static void origin(IndexDocument document, StoredNetwork stored, long snapshot, StoredRecord record) {
        Network network = stored.network();
        document.add("institution", network.institutionName());
        document.add("collection", network.name());
        document.add("oai_identifier_str", record.identifier());
        document.add("network_acronym_str", network.acronym());
        document.add("network_name_str", network.name());
        document.add("reponame_str", network.name());
        document.add("instname_str", network.institutionName());
        document.add(IndexKind.FRONTEND.networkField(), Long.toString(stored.id()));
        document.add(IndexKind.FRONTEND.snapshotField(), Long.toString(snapshot));
    }

    private static String allText(Fields fields, Network network) {
        StringBuilder text = new StringBuilder(1024);
        for (String name : fields.names()) {
            fields.of(name).forEach(value -> text.append(value).append(' '));
        }
        return text.append(network.name())
                .append(' ')
                .append(network.institutionName())
                .toString()
                .strip();
    }

    private static Optional<String> first(Fields fields, String field) {
        return fields.of(field).stream().findFirst();
    }
}
