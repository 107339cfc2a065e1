package dev.turno.harvester.index;

import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.walk.Walk;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every record has an item; those that are gone have one that says so. An item that is indexed again and has not changed keeps the
 * moment of its last change, or everybody would harvest everything again. Each page is shown at once: an item that were shown long
 * after its moment would be missed by those who harvested in between.
 *
 * @param clock the same for all instances
 */
record XoaiDocuments(IndexTarget target, Crosswalk crosswalk, InstantSource clock) implements Documents {

    /** Within this time of their moment items are shown, or they get a later one. The provider counts on it: those who harvest do. */
    static final Duration LONGEST_UNSEEN = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(XoaiDocuments.class);
    private static final int TRIES = 3;

    private static final String CHANGED = "item.lastmodified";
    private static final String HASH = "item.hash";
    private static final int AT_ONCE = 1_000;

    @Override
    public void write(
            StoredNetwork network, Walk walk, List<StoredRecord> shown, List<StoredRecord> gone, Consumer<String> log) {
        List<IndexDocument> made = new ArrayList<>();
        List<StoredRecord> all = new ArrayList<>(shown);
        all.addAll(gone);
        for (StoredRecord record : all) {
            try {
                made.add(crosswalk.document(network, walk.snapshot(), record));
            } catch (IllegalArgumentException e) {
                log.accept("Record '" + record.identifier() + "' is left out: " + e.getMessage());
            }
        }
        Map<String, IndexDocument> before = target
                .get(made.stream().map(IndexDocument::id).toList())
                .stream()
                .collect(Collectors.toMap(IndexDocument::id, Function.identity()));
        show(
                made.stream()
                        .filter(item -> !isDeleted(item) || before.containsKey(item.id()))
                        .toList(),
                before);
    }

    /** If it took too long they are shown once more, as if they had changed again. */
    private void show(List<IndexDocument> items, Map<String, IndexDocument> before) {
        for (int tried = 1; tried <= TRIES; tried++) {
            Instant moment = clock.instant();
            String text = moment.truncatedTo(ChronoUnit.SECONDS).toString();
            items.forEach(item -> stamp(item, Optional.ofNullable(before.get(item.id())), text));
            target.add(items);
            target.publish();
            if (!clock.instant().isAfter(moment.plus(LONGEST_UNSEEN))) {
                return;
            }
        }
        LOG.warn(
                "{} items for harvesters were shown more than {} after their datestamps, {} times. Some harvesters may miss"
                        + " them until they change. See why the index takes so long.",
                items.size(),
                LONGEST_UNSEEN,
                TRIES);
    }

    private static boolean isDeleted(IndexDocument item) {
        return item.first("item.deleted").filter("true"::equals).isPresent();
    }

    private static void stamp(IndexDocument item, Optional<IndexDocument> before, String now) {
        String hash = IndexDocument.idOf(
                0,
                item.all("item.compile") + "\n" + item.all("item.collections") + item.all("item.deleted")
                        + item.all("item.public"));
        item.set(HASH, hash);
        item.set(
                CHANGED,
                before.filter(old -> old.first(HASH).filter(hash::equals).isPresent())
                        .flatMap(old -> old.first(CHANGED))
                        .orElse(now));
    }

    /** What a full indexing did not renew is gone from its source. */
    @Override
    public void sweep(StoredNetwork network, long snapshot) {
        IndexQuery query = IndexQuery.orderedBy(CHANGED, AT_ONCE)
                .with(IndexKind.XOAI.networkField(), Long.toString(network.id()))
                .with("item.deleted", "false")
                .before(snapshot);
        List<IndexDocument> old = target.find(query);
        while (!old.isEmpty()) {
            show(old.stream().map(item -> tombstone(item, snapshot)).toList(), Map.of());
            old = target.find(query);
        }
    }

    private static IndexDocument tombstone(IndexDocument old, long snapshot) {
        IndexDocument item = new IndexDocument(old.id());
        for (String field : List.of(
                "item.handle",
                "item.public",
                "item.network",
                "item.origin",
                "item.datestamp",
                "item.prefix",
                "item.collections",
                IndexKind.XOAI.networkField())) {
            item.addAll(field, old.all(field));
        }
        return item.add("item.deleted", "true").add(IndexKind.XOAI.snapshotField(), Long.toString(snapshot));
    }
}
