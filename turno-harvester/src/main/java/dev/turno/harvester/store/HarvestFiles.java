package dev.turno.harvester.store;

import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.record.Selection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The files of one harvest while it is under way: its spool, the parts that are built from it, and what was put aside. */
public final class HarvestFiles {

    private static final String PAGES = "pages";
    private static final int NEVER = 0;

    private final ParquetStore store;
    private final Snapshot snapshot;
    private final long fence;
    private final Path folder;

    public HarvestFiles(ParquetStore store, Snapshot snapshot, long fence) {
        this.store = store;
        this.snapshot = snapshot;
        this.fence = fence;
        this.folder = store.folder(snapshot);
    }

    public Spool spool() throws IOException {
        return new Spool(folder, PAGES, fence);
    }

    /** The frames that are not in a part yet, whoever wrote them. */
    public NavigableMap<Long, Spool.Frame> spooled() throws IOException {
        return new TreeMap<>(Spool.read(folder, PAGES).tailMap(lastPart(), false));
    }

    /** The last page that is in a part; 0: none is. */
    public long lastPart() {
        return store.parts().of(snapshot).stream().mapToLong(Part::seq).max().orElse(NEVER);
    }

    /** Builds a part of some frames, which follow each other. */
    public NewPart build(List<Spool.Frame> frames) throws IOException {
        long last = frames.get(frames.size() - 1).seq();
        try (PartWriter writer = new PartWriter(folder.resolve("part-" + last + "-" + fence + ".parquet"), false)) {
            for (int i = frames.size() - 1; i >= 0; i--) {
                List<Row> rows = PageBuffer.unpack(frames.get(i).body(), snapshot.id());
                for (int j = rows.size() - 1; j >= 0; j--) {
                    writer.add(rows.get(j));
                }
            }
            return writer.finish();
        }
    }

    /** From the commit of this transaction on the part counts. */
    public void register(Connection connection, long lastPage, NewPart part) {
        store.parts().add(connection, snapshot.id(), Math.toIntExact(lastPage), part);
    }

    /** Frees the spool up to a page that is in a part, while pages may still be fetched into it. */
    public void free(long lastPage) throws IOException {
        Spool.removeBeside(folder, PAGES, lastPage);
    }

    /** Frees the whole spool, into which nothing comes any more. */
    public void freeAll(long lastPage) throws IOException {
        Spool.remove(folder, PAGES, lastPage);
    }

    /** Keeps something as it came; answers the name of its file. */
    public String putAside(String name, byte[] raw) throws IOException {
        Path file = folder.resolve("quarantine").resolve(name + "-" + fence + ".xml");
        Files.createDirectories(Durable.folderOf(file));
        Durable.write(file, unfinished -> Files.write(unfinished, raw));
        return "quarantine/" + file.getFileName();
    }

    /**
     * What a complete harvest means.
     *
     * @param records live ones that it brought, each identifier once
     * @param total live ones that the snapshot shows
     * @param unseen a part with what a full harvest did not bring any more: its deletion, or the record as it was if what came cannot be
     *     used
     */
    public record Outcome(long records, long deletions, long total, Optional<NewPart> unseen) {

        /** How many records stay as they were. */
        public long kept() {
            return unseen.map(part -> part.rows() - part.deletions()).orElse(0L);
        }
    }

    /** Compares this harvest with the one before; all its parts must count already. */
    public Outcome compare(Optional<Snapshot> previous, Unusable unusable, long unseenPage) throws IOException {
        KeySet seen = new KeySet();
        long[] liveAndDeleted = new long[2];
        long gained = 0;
        List<Ids> before = previous.isEmpty() || snapshot.full() ? List.of() : idsOf(previous.get());
        for (Part part : store.parts().of(snapshot)) {
            for (long key : Ids.open(part.file()).all()) {
                if (seen.add(key)) {
                    liveAndDeleted[Keys.isDeleted(key) ? 1 : 0]++;
                    gained += (Keys.isDeleted(key) ? 0 : 1) - (wasLive(before, key) ? 1 : 0);
                }
            }
        }
        if (!snapshot.full()) {
            long total = previous.map(Snapshot::total).orElse(0L) + gained;
            return new Outcome(liveAndDeleted[0], liveAndDeleted[1], total, Optional.empty());
        }
        Optional<NewPart> unseen =
                previous.isPresent() ? unseen(previous.get(), seen, unusable, unseenPage) : Optional.empty();
        long gone = unseen.map(NewPart::deletions).orElse(0L);
        long kept = unseen.map(NewPart::rows).orElse(0L) - gone;
        return new Outcome(liveAndDeleted[0], liveAndDeleted[1] + gone, liveAndDeleted[0] + kept, unseen);
    }

    private List<Ids> idsOf(Snapshot one) throws IOException {
        List<Ids> ids = new ArrayList<>();
        for (Part part : store.parts().chain(one.id())) {
            ids.add(Ids.open(part.file()));
        }
        return ids;
    }

    private static boolean wasLive(List<Ids> newestFirst, long key) {
        for (Ids ids : newestFirst) {
            OptionalLong found = ids.find(key);
            if (found.isPresent()) {
                return !Keys.isDeleted(found.getAsLong());
            }
        }
        return false;
    }

    private Optional<NewPart> unseen(Snapshot previous, KeySet here, Unusable unusable, long page) throws IOException {
        boolean whole = unusable.isAny(); // otherwise nothing but headers is needed
        try (PartWriter writer = new PartWriter(folder.resolve("part-" + page + "-" + fence + ".parquet"), whole);
                Reading reading = new Reading(store.parts().chain(previous.id()), Selection.live(), whole)) {
            boolean any = false;
            for (Optional<Reading.Stretch> some = reading.next(1_000); some.isPresent(); some = reading.next(1_000)) {
                for (Reading.Seen seen : some.get().rows()) {
                    if (!here.contains(seen.row().key())) {
                        add(writer, seen, unusable);
                        any = true;
                    }
                }
            }
            return any ? Optional.of(writer.finish()) : Optional.empty();
        }
    }

    /** What is kept has not changed: it keeps the number of the snapshot that brought it, and what the rules said. */
    private void add(PartWriter writer, Reading.Seen seen, Unusable unusable) throws IOException {
        if (unusable.mayBe(seen.row().key())) {
            writer.add(seen.row(), Optional.of(seen.judged()));
        } else {
            writer.add(tombstone(seen.row()));
        }
    }

    private Row tombstone(Row row) {
        long now = snapshot.untilAt().orElse(snapshot.startedAt()).toEpochMilli();
        return new Row(row.identifier(), now, true, row.sets(), row.prefix(), snapshot.id(), new byte[0]);
    }

    /** Text for {@link #putAside}. */
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
