package dev.turno.harvester.provider;

import dev.turno.harvester.index.IndexDocument;
import dev.turno.harvester.index.IndexKind;
import dev.turno.harvester.index.IndexQuery;
import dev.turno.harvester.index.IndexTarget;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Answers the six verbs of OAI-PMH 2.0. Shared by threads. */
public final class OaiProvider {

    private static final String PREFIX = "oai_dc";
    private static final String NAMESPACE = "http://www.openarchives.org/OAI/2.0/oai_dc/";
    private static final String CHANGED = "item.lastmodified";
    private static final String SETS = "item.collections";
    private static final int MOST_SETS = 10_000;
    private static final String EPOCH = "1970-01-01T00:00:00Z";

    /**
     * So much earlier than its clock a response is dated. Those who harvest ask for what changed since that date the next time; but
     * items are seen some time after the moment that they carry, up to five minutes, and that moment is another clock's, which may be
     * as much behind. Who asks for a few minutes twice gets some items twice; who did not would miss some for ever.
     */
    static final Duration SETTLED = Duration.ofMinutes(10);

    private static final Set<String> NONE = Set.of();

    private final IndexTarget index;
    private final ProviderIdentity identity;
    private final InstantSource clock;
    private final int pageSize;

    public OaiProvider(IndexTarget index, ProviderIdentity identity, InstantSource clock, int pageSize) {
        if (index.kind() != IndexKind.XOAI) {
            throw new IllegalArgumentException("The provider serves the XOAI index, not " + index.kind() + ".");
        }
        this.index = index;
        this.identity = identity;
        this.clock = clock;
        this.pageSize = pageSize;
    }

    public OaiProvider(IndexTarget index, ProviderIdentity identity) {
        this(index, identity, InstantSource.system(), 100);
    }

    /** The XML that answers these arguments; errors of the protocol are answers too. */
    public String answer(Map<String, List<String>> arguments) {
        String now = Datestamps.of(clock.instant().minus(SETTLED));
        try {
            String verb = verb(arguments);
            OaiArguments checked = checked(verb, arguments);
            OaiAnswer answer = begin(now, attributes(verb, checked));
            write(answer.open(verb), verb, checked);
            return answer.close(verb).end();
        } catch (OaiProblem problem) {
            Map<String, String> attributes = problem.hidesArguments() ? Map.of() : echo(arguments);
            return begin(now, attributes)
                    .error(problem.code(), String.valueOf(problem.getMessage()))
                    .end();
        }
    }

    private OaiAnswer begin(String now, Map<String, String> attributes) {
        return new OaiAnswer(now).request(identity.baseUrl(), attributes);
    }

    private static Map<String, String> attributes(String verb, OaiArguments arguments) {
        Map<String, String> attributes = new TreeMap<>(arguments.values());
        attributes.put("verb", verb);
        return attributes;
    }

    private static Map<String, String> echo(Map<String, List<String>> arguments) {
        Map<String, String> attributes = new TreeMap<>();
        arguments.forEach((name, values) -> attributes.put(name, values.get(0)));
        return attributes;
    }

    private static String verb(Map<String, List<String>> arguments) {
        List<String> verbs = arguments.getOrDefault("verb", List.of());
        if (verbs.size() != 1) {
            throw new OaiProblem("badVerb", "There must be one argument 'verb'; there are " + verbs.size() + ".");
        }
        return verbs.get(0);
    }

    private static OaiArguments checked(String verb, Map<String, List<String>> arguments) {
        return switch (verb) {
            case "Identify" -> OaiArguments.of(arguments, NONE, NONE);
            case "ListMetadataFormats" -> OaiArguments.of(arguments, NONE, Set.of("identifier"));
            case "ListSets" -> OaiArguments.of(arguments, NONE, Set.of("resumptionToken"));
            case "GetRecord" -> OaiArguments.of(arguments, Set.of("identifier", "metadataPrefix"), NONE);
            case "ListIdentifiers", "ListRecords" ->
                OaiArguments.of(arguments, Set.of("metadataPrefix"), Set.of("from", "until", "set", "resumptionToken"));
            default -> throw new OaiProblem("badVerb", "There is no verb '" + OaiArguments.shortened(verb) + "'.");
        };
    }

    private void write(OaiAnswer answer, String verb, OaiArguments arguments) {
        switch (verb) {
            case "Identify" -> identify(answer);
            case "ListMetadataFormats" -> formats(answer, arguments);
            case "ListSets" -> sets(answer, arguments);
            case "GetRecord" -> record(answer, found(arguments));
            default -> list(answer, verb, arguments);
        }
    }

    private void identify(OaiAnswer answer) {
        answer.element("repositoryName", identity.name())
                .element("baseURL", identity.baseUrl())
                .element("protocolVersion", "2.0");
        identity.adminEmails().forEach(email -> answer.element("adminEmail", email));
        answer.element("earliestDatestamp", earliest())
                .element("deletedRecord", "transient")
                .element("granularity", "YYYY-MM-DDThh:mm:ssZ");
    }

    private String earliest() {
        return index.find(shown(1)).stream()
                .findFirst()
                .flatMap(item -> item.first(CHANGED))
                .orElse(EPOCH);
    }

    /** What may be seen by everybody. */
    private static IndexQuery shown(int limit) {
        return IndexQuery.orderedBy(CHANGED, limit).with("item.public", "true");
    }

    private void formats(OaiAnswer answer, OaiArguments arguments) {
        arguments.get("identifier").ifPresent(this::item);
        answer.open("metadataFormat")
                .element("metadataPrefix", PREFIX)
                .element("schema", "http://www.openarchives.org/OAI/2.0/oai_dc.xsd")
                .element("metadataNamespace", NAMESPACE)
                .close("metadataFormat");
    }

    private void sets(OaiAnswer answer, OaiArguments arguments) {
        if (arguments.get("resumptionToken").isPresent()) {
            throw new OaiProblem("badResumptionToken", "The list of sets has one page and gives no tokens.");
        }
        List<String> sets = index.values(SETS, MOST_SETS);
        if (sets.isEmpty()) {
            throw new OaiProblem(
                    "noSetHierarchy", "There is nothing in this repository yet, and so there are no sets.");
        }
        sets.forEach(set -> answer.open("set")
                .element("setSpec", set)
                .element("setName", set)
                .close("set"));
    }

    private IndexDocument found(OaiArguments arguments) {
        requireFormat(arguments);
        return item(arguments.get("identifier").orElse(""));
    }

    private static void requireFormat(OaiArguments arguments) {
        String prefix = arguments.get("metadataPrefix").orElse(PREFIX);
        if (!prefix.equals(PREFIX)) {
            throw new OaiProblem(
                    "cannotDisseminateFormat",
                    "There is no format '" + OaiArguments.shortened(prefix) + "'; there is " + PREFIX + ".");
        }
    }

    private IndexDocument item(String identifier) {
        String start = "oai:" + identity.namespace() + ":";
        Optional<IndexDocument> found = identifier.matches("oai:[^:]+:[0-9a-f]{32}") && identifier.startsWith(start)
                ? index.get(List.of(identifier.substring(start.length()))).stream()
                        .findFirst()
                : Optional.empty();
        return found.filter(
                        item -> item.first("item.public").filter("true"::equals).isPresent())
                .orElseThrow(() -> new OaiProblem(
                        "idDoesNotExist", "There is no item '" + OaiArguments.shortened(identifier) + "' here."));
    }

    private void list(OaiAnswer answer, String verb, OaiArguments arguments) {
        requireFormat(arguments);
        ListToken token = arguments
                .get("resumptionToken")
                .map(text -> ListToken.read(text, verb))
                .orElseGet(() -> beginning(verb, arguments));
        List<IndexDocument> found = index.find(query(token, pageSize + 1));
        if (found.isEmpty()) {
            throw token.given() > 0
                    ? new OaiProblem("badResumptionToken", "What was left of this list has changed; begin it again.")
                    : new OaiProblem("noRecordsMatch", "No item matches these arguments.");
        }
        List<IndexDocument> page = found.subList(0, Math.min(pageSize, found.size()));
        page.forEach(item -> {
            if (verb.equals("ListRecords")) {
                record(answer, item);
            } else {
                header(answer, item);
            }
        });
        token(answer, token, page, found.size() > pageSize);
    }

    private ListToken beginning(String verb, OaiArguments arguments) {
        Optional<String> from = arguments.get("from");
        Optional<String> until = arguments.get("until");
        Datestamps.requireRange(from, until);
        Instant now = clock.instant();
        ListToken token = new ListToken(
                verb,
                from.map(text -> Datestamps.of(Datestamps.start("from", text))),
                Datestamps.of(until.map(text -> Datestamps.end("until", text))
                        .filter(now::isAfter)
                        .orElse(now)),
                arguments.get("set"),
                Optional.empty(),
                0,
                0);
        long total = index.count(query(token, 1));
        return new ListToken(verb, token.from(), token.until(), token.set(), Optional.empty(), 0, total);
    }

    private static IndexQuery query(ListToken token, int limit) {
        IndexQuery query =
                shown(limit).between(token.from(), Optional.of(token.until())).after(token.place());
        return token.set().map(set -> query.with(SETS, set)).orElse(query);
    }

    private void token(OaiAnswer answer, ListToken token, List<IndexDocument> page, boolean more) {
        if (!more && token.given() == 0) {
            return;
        }
        IndexDocument last = page.get(page.size() - 1);
        String next = more ? token.movedTo(shown(1).placeOf(last), page.size()).text() : "";
        answer.open(
                        "resumptionToken",
                        "completeListSize",
                        Long.toString(token.total()),
                        "cursor",
                        Long.toString(token.given()))
                .content(next)
                .close("resumptionToken");
    }

    private void header(OaiAnswer answer, IndexDocument item) {
        if (isDeleted(item)) {
            answer.open("header", "status", "deleted");
        } else {
            answer.open("header");
        }
        answer.element("identifier", "oai:" + identity.namespace() + ":" + item.id())
                .element("datestamp", item.first(CHANGED).orElse(EPOCH));
        item.all(SETS).forEach(set -> answer.element("setSpec", set));
        answer.close("header");
    }

    private static boolean isDeleted(IndexDocument item) {
        return item.first("item.deleted").filter("true"::equals).isPresent();
    }

    private void record(OaiAnswer answer, IndexDocument item) {
        answer.open("record");
        header(answer, item);
        if (!isDeleted(item)) {
            answer.open("metadata").raw(item.first("item.compile").orElse("")).close("metadata");
            provenance(answer, item);
        }
        answer.close("record");
    }

    /** Where the record was before it was here, as the protocol's guidelines want it. */
    private static void provenance(OaiAnswer answer, IndexDocument item) {
        answer.open("about")
                .open(
                        "provenance",
                        "xmlns",
                        "http://www.openarchives.org/OAI/2.0/provenance",
                        "xsi:schemaLocation",
                        "http://www.openarchives.org/OAI/2.0/provenance"
                                + " http://www.openarchives.org/OAI/2.0/provenance.xsd")
                .open("originDescription", "harvestDate", item.first(CHANGED).orElse(EPOCH), "altered", "true")
                .element("baseURL", item.first("item.origin").orElse(""))
                .element("identifier", item.first("item.handle").orElse(""))
                .element("datestamp", item.first("item.datestamp").orElse(EPOCH))
                .element("metadataNamespace", NAMESPACE)
                .close("originDescription")
                .close("provenance")
                .close("about");
    }
}
