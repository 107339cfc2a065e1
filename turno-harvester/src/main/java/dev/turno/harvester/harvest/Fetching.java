package dev.turno.harvester.harvest;

import dev.turno.harvester.network.Network;
import dev.turno.harvester.oai.Granularity;
import dev.turno.harvester.oai.OaiClient;
import dev.turno.harvester.oai.OaiException;
import dev.turno.harvester.oai.OaiPage;
import dev.turno.harvester.store.HarvestFiles;
import dev.turno.harvester.store.Spool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Walks through the windows of a source, page by page, into the spool. One thread fetches; another may force what it has got, and closes
 * all when the first has ended.
 */
final class Fetching implements AutoCloseable {

    private static final int MOST_RESTARTS = 20;
    private static final int REMEMBERED = 10_000;
    private static final int MOST_EMPTY = 500;
    private static final int LONGEST_WARNING = 1_000;

    private final Network network;
    private final HarvestOptions options;
    private final OaiClient client;
    private final HarvestFiles files;
    private final Map<Long, Spool.Frame> left;
    private final BooleanSupplier stop;
    private final Spool spool;
    private final PageSink sink = new PageSink();
    private final Set<UUID> asked = new LinkedHashSet<>();
    private int emptyInARow;
    private long inFile;
    private boolean warnedOfFrom;

    /** @param left pages that a dead holder spooled and did not commit: they need not be fetched again */
    Fetching(
            Network network,
            HarvestOptions options,
            OaiClient client,
            HarvestFiles files,
            Map<Long, Spool.Frame> left,
            BooleanSupplier stop)
            throws IOException {
        this.network = network;
        this.options = options;
        this.client = client;
        this.files = files;
        this.left = left;
        this.stop = stop;
        Spool.force(left.values()); // the dead one may not have come to it, and the next commit counts on them
        this.spool = files.spool();
    }

    /** What was given so far is on disk when this returns. */
    void force() throws IOException {
        spool.force();
    }

    Spooled next(Place place) throws OaiException, IOException {
        Spool.Frame known = left.remove(place.page() + 1);
        if (known != null && Head.of(known.head()).before().equals(place.text())) {
            return Spooled.of(known);
        }
        sink.expect(place);
        OaiPage page = client.listRecords(place.request(network, isPrefixWanted()), sink, stop);
        List<String> warnings = new ArrayList<>(page.warnings());
        if (page.error().isPresent()) {
            sink.begin();
        }
        if (sink.moreBad() > 0) {
            warnings.add(moreBad(place.page() + 1));
        }
        Place after = after(place, page, warnings);
        return spool(place, after, page, warnings);
    }

    private String moreBad(long number) {
        return "Beside the " + PageSink.MOST_BAD + " records of page " + number + " that were put aside, "
                + sink.moreBad() + " more could not be used and were left out.";
    }

    private Place after(Place place, OaiPage page, List<String> warnings) throws OaiException {
        if (page.hasError("badResumptionToken") && place.token().isPresent()) {
            return tokenLost(place, page, warnings);
        }
        if (page.error().isPresent() && !page.hasError("noRecordsMatch")) {
            throw new OaiException(
                    OaiException.Kind.LASTING,
                    "The source answered with the error " + page.error().get().code() + ": "
                            + page.error().get().message(),
                    Duration.ZERO);
        }
        warnOfFrom(place, warnings);
        Optional<String> token = page.token();
        token.ifPresent(text -> requireNew(place, text));
        Place next = place.after(sink.highest(), sink.isOrdered(), token);
        return token.isPresent()
                ? next
                : next.nextSet(Math.max(1, network.sets().size()));
    }

    private static Place tokenLost(Place place, OaiPage page, List<String> warnings) throws OaiException {
        if (place.restarts() >= MOST_RESTARTS) {
            throw new OaiException(
                    OaiException.Kind.LASTING,
                    "The source refused its own resumption tokens " + MOST_RESTARTS + " times.",
                    Duration.ZERO);
        }
        Place again = place.withoutToken();
        warnings.add("The source does not know its resumption token any more ("
                + page.error().map(error -> error.message()).orElse("") + "); goes on from "
                + again.from().orElse("the beginning") + ".");
        return again;
    }

    /** Some sources want the prefix with the token, against the protocol: an attribute of their network says so. */
    private boolean isPrefixWanted() {
        return options.prefixWithToken() || "true".equals(network.attributes().get("prefixWithToken"));
    }

    /** The same token with the same first record would go on for ever. */
    private void requireNew(Place place, String token) {
        if (token.length() > Place.LONGEST_TOKEN) {
            throw new IllegalStateException("The source gave a resumption token of " + token.length()
                    + " characters; at most " + Place.LONGEST_TOKEN + " can be kept.");
        }
        String all = token + "\n" + sink.firstIdentifier() + "\n" + place.set() + "\n" + place.restarts();
        UUID mark = UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8));
        boolean same = place.token().filter(token::equals).isPresent();
        if (!asked.add(mark) && (same || !sink.firstIdentifier().isEmpty())) {
            throw new IllegalStateException("The source goes in circles: it gave the resumption token '" + token
                    + "' again, with the same first record '" + sink.firstIdentifier()
                    + "'. What was fetched is kept.");
        }
        if (asked.size() > REMEMBERED) {
            asked.remove(asked.iterator().next());
        }
        emptyInARow = sink.firstIdentifier().isEmpty() ? emptyInARow + 1 : 0;
        if (emptyInARow > MOST_EMPTY) {
            throw new IllegalStateException("The source gave " + emptyInARow
                    + " pages without a record, each with a new resumption token. What was fetched is kept.");
        }
    }

    private void warnOfFrom(Place place, List<String> warnings) {
        boolean older = sink.lowest().isPresent()
                && place.from()
                        .flatMap(Granularity::parse)
                        .filter(from -> sink.lowest().get().isBefore(from))
                        .isPresent();
        if (older && !warnedOfFrom) {
            warnedOfFrom = true;
            warnings.add("The source ignores 'from': it gave records that are older than it. They are kept.");
        }
    }

    private Spooled spool(Place before, Place after, OaiPage page, List<String> warnings) throws IOException {
        long number = before.page() + 1;
        Head head = new Head(
                before.text(),
                after.text(),
                sink.buffer.records(),
                sink.buffer.deletions(),
                sink.buffer.bytes(),
                page.listSize().orElse(-1L),
                warnings.stream().map(Fetching::fit).toList(),
                putAside(number, page));
        Spool.Frame frame = spool.append(number, head.toBytes(), sink.buffer.packed());
        inFile += frame.bodySize();
        if (inFile > options.partBytes() / 8) {
            spool.roll();
            inFile = 0;
        }
        return new Spooled(frame, head);
    }

    private List<Head.PutAside> putAside(long number, OaiPage page) throws IOException {
        List<Head.PutAside> aside = new ArrayList<>();
        List<PageSink.Bad> bad = sink.bad();
        if (!bad.isEmpty() && page.raw().isPresent()) {
            files.putAside("page-" + number, page.raw().get());
        }
        for (int i = 0; i < bad.size(); i++) {
            PageSink.Bad one = bad.get(i);
            String file = files.putAside("record-" + number + "-" + i, HarvestFiles.bytes(one.raw()));
            aside.add(new Head.PutAside(one.identifier(), fit(one.why()), file));
        }
        if (sink.moreBad() > 0) { // without a name: whoever compares must know that anything may be among them
            String file = files.putAside("record-" + number + "-more", HarvestFiles.bytes(moreBad(number)));
            aside.add(new Head.PutAside("", moreBad(number), file));
        }
        return aside;
    }

    private static String fit(String text) {
        return text.length() <= LONGEST_WARNING ? text : text.substring(0, LONGEST_WARNING);
    }

    @Override
    public void close() throws IOException {
        sink.buffer.close();
        spool.close();
    }
}
