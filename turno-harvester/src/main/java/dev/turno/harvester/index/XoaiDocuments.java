package dev.turno.harvester.index;

import dev.turno.harvester.network.StoredNetwork;
import dev.turno.harvester.record.StoredRecord;
import dev.turno.harvester.walk.Walk;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Every record has an item; those that are gone have one that says so. An item that is indexed again and has not changed keeps the
 * moment of its last change, or everybody would harvest everything again. Each page is shown at once: an item that were shown long
 * after its moment would be missed by those who harvested in between.
 */
record XoaiDocuments(IndexTarget target, Crosswalk crosswalk) implements Documents {

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
        String now = now();
        List<IndexDocument> worth = made.stream()
                .filter(item -> !isDeleted(item) || before.containsKey(item.id()))
                .toList();
        worth.forEach(item -> stamp(item, Optional.ofNullable(before.get(item.id())), now));
        target.add(worth);
        target.publish();
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static boolean isDeleted(IndexDocument item) {
        return item.first("item.deleted").filter("true"::equals).isPresent();
    }

    private static void stamp(IndexDocument item, Optional<IndexDocument> before, String now) {
        String hash = IndexDocument.idOf(
                0,
                item.all("item.compile") + "\n" + item.all("item.collections") + item.all("item.deleted")
                        + item.all("item.public"));
        item.add(HASH, hash);
        item.add(
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
            target.add(old.stream().map(item -> tombstone(item, snapshot)).toList());
            target.publish();
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
        item.add("item.deleted", "true").add(IndexKind.XOAI.snapshotField(), Long.toString(snapshot));
        stamp(item, Optional.empty(), now());
        return item;
    }
}
