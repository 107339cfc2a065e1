package dev.turno.harvester.store;

import dev.turno.claim.Claim;
import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.record.RecordPage;
import dev.turno.harvester.record.RecordResult;
import dev.turno.harvester.record.RecordStatus;
import dev.turno.harvester.record.RecordStore;
import dev.turno.harvester.record.Selection;
import dev.turno.harvester.record.StoredRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.apache.parquet.example.data.Group;

/** The store in Parquet files below one folder, which all instances must see. Shared by threads. */
public final class ParquetStore implements RecordStore {

    /** How many live records a snapshot shows, by what the rules said. */
    public record Tally(long untested, long valid, long invalid, long transformed, long deleted) {

        public long live() {
            return untested + valid + invalid;
        }
    }

    private record Place(long part, long row) {

        static Place of(String cursor) {
            String[] both = cursor.split("\\.", 2);
            try {
                return new Place(Long.parseLong(both[0]), Long.parseLong(both[1]));
            } catch (RuntimeException e) {
                throw new IllegalArgumentException(
                        "'" + cursor + "' is not a place in a snapshot. Use the cursor of the page before, unchanged.",
                        e);
            }
        }

        String cursor() {
            return part + "." + row;
        }
    }

    private static final int LARGEST_PAGE = 100_000;

    private final Snapshots snapshots;
    private final PartTable parts;
    private final Path base;
    private final StandingWalks standing = new StandingWalks(StandingWalks.MOST_BYTES);

    public ParquetStore(Path base, DataSource source, Snapshots snapshots) {
        this.base = base;
        this.snapshots = snapshots;
        this.parts = new PartTable(source, snapshots, base);
    }

    /** Where the files of a snapshot lie. */
    public Path folder(Snapshot snapshot) {
        return parts.folder(snapshot);
    }

    PartTable parts() {
        return parts;
    }

    Path base() {
        return base;
    }

    @Override
    public Optional<RecordPage> page(long snapshot, Selection selection, Optional<String> after, int size)
            throws IOException {
        if (size < 1 || size > LARGEST_PAGE) {
            throw new IllegalArgumentException("A page has 1 to " + LARGEST_PAGE + " records, not " + size + ".");
        }
        Reading reading = reading(snapshot, selection, after);
        Optional<Reading.Stretch> stretch;
        try {
            stretch = reading.next(size);
        } catch (IOException | RuntimeException e) {
            reading.close();
            throw e;
        }
        if (stretch.isEmpty()) {
            reading.close();
            return Optional.empty();
        }
        String cursor = new Place(stretch.get().part().id(), stretch.get().to()).cursor();
        standing.put(new StandingWalks.Place(snapshot, selection, cursor), reading);
        List<StoredRecord> records =
                stretch.get().rows().stream().map(ParquetStore::stored).toList();
        return Optional.of(new RecordPage(snapshot, records, cursor));
    }

    private Reading reading(long snapshot, Selection selection, Optional<String> after) throws IOException {
        Optional<Reading> known =
                after.flatMap(cursor -> standing.take(new StandingWalks.Place(snapshot, selection, cursor)));
        if (known.isPresent()) {
            return known.get();
        }
        List<Part> chain = parts.chain(snapshot);
        Reading fresh = new Reading(chain, selection, true);
        if (after.isPresent()) {
            Place place = Place.of(after.get());
            try {
                fresh.seek(place.part(), place.row());
            } catch (IOException | RuntimeException e) {
                fresh.close();
                throw e;
            }
        }
        return fresh;
    }

    /** Walks over parts that are changed now must begin anew. */
    void forgetWalks() throws IOException {
        standing.forget(place -> true);
    }

    private static StoredRecord stored(Reading.Seen seen) {
        return stored(seen.row(), seen.judged());
    }

    private static StoredRecord stored(Row row, Judged judged) {
        return new StoredRecord(
                row.record(),
                row.snapshot(),
                row.deleted() ? RecordStatus.DELETED : judged.status(),
                judged.transformed(),
                judged.details());
    }

    /** The files that hold what a snapshot shows, newest first. */
    public List<PartFile> files(long snapshot) {
        return parts.chain(snapshot).stream()
                .map(part -> new PartFile(
                        below(part.file()),
                        part.rows(),
                        part.deletions(),
                        part.results().map(this::below)))
                .toList();
    }

    private String below(Path file) {
        return base.relativize(file).toString();
    }

    @Override
    public long count(long snapshot, Selection selection) {
        return parts.chain(snapshot).stream()
                .filter(part -> selection.since().isEmpty()
                        || part.newest() > selection.since().getAsLong())
                .mapToLong(part -> selection.deleted() ? part.rows() : part.rows() - part.deletions())
                .sum();
    }

    @Override
    public Optional<StoredRecord> find(long snapshot, String identifier) throws IOException {
        long key = Keys.of(identifier, false);
        for (Part part : parts.chain(snapshot)) {
            if (Ids.open(part.file()).find(key).isPresent()) {
                Optional<StoredRecord> found = find(part, identifier);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<StoredRecord> find(Part part, String identifier) throws IOException {
        Optional<Row> row;
        try (ParquetFile.Reader reader = RecordFile.find(part.file(), identifier)) {
            row = reader.next().map(RecordFile::row);
        }
        if (row.isEmpty()) {
            return Optional.empty();
        }
        Judged judged = Judged.not(identifier);
        if (part.results().isPresent()) {
            try (ParquetFile.Reader reader = ResultFile.find(part.results().get(), identifier)) {
                judged = reader.next().map(ResultFile::judged).orElse(judged);
            }
        }
        return Optional.of(stored(row.get(), judged));
    }

    @Override
    public void keep(
            Connection connection, Claim claim, Optional<String> after, RecordPage page, List<RecordResult> results)
            throws IOException {
        Place end = Place.of(page.cursor());
        long from = after.map(Place::of)
                .filter(place -> place.part() == end.part())
                .map(Place::row)
                .orElse(0L);
        Part part = parts.chain(page.snapshot()).stream()
                .filter(one -> one.id() == end.part())
                .findFirst()
                .orElseThrow(() -> new IOException("Snapshot " + page.snapshot()
                        + " was compacted while its records were judged. Nothing was kept; begin anew."));
        if (from == 0) {
            settle(page.snapshot());
        }
        ResultSpool spool = new ResultSpool(part, claim);
        spool.keep(from, end.row(), results);
        if (end.row() == part.rows()) {
            Path file = spool.build();
            parts.judged(connection, part.id(), file);
            forgetOthers(page);
        }
    }

    @Override
    public void settle(long snapshot) throws IOException {
        for (Part part : parts.chain(snapshot)) {
            ResultSpool.settle(part);
        }
    }

    /** A walk that has the old results open would go on to give them. */
    private void forgetOthers(RecordPage page) throws IOException {
        standing.forget(place -> !place.cursor().equals(page.cursor()));
    }

    /** Counts what a snapshot shows; reads identifiers and results, not the records. */
    public Tally tally(long snapshot) throws IOException {
        Map<RecordStatus, Long> counts = new EnumMap<>(RecordStatus.class);
        long transformed = 0;
        KeySet seen = new KeySet();
        for (Part part : parts.chain(snapshot)) {
            try (ParquetFile.Reader rows = RecordFile.open(part.file(), false);
                    ResultCounts results = new ResultCounts(part)) {
                for (Optional<Group> group = rows.next(); group.isPresent(); group = rows.next()) {
                    Row row = RecordFile.row(group.get());
                    results.advance();
                    if (seen.add(row.key())) {
                        RecordStatus status = row.deleted() ? RecordStatus.DELETED : results.status();
                        counts.merge(status, 1L, Long::sum);
                        transformed += !row.deleted() && results.isChanged() ? 1 : 0;
                    }
                }
            }
        }
        return new Tally(
                counts.getOrDefault(RecordStatus.UNTESTED, 0L),
                counts.getOrDefault(RecordStatus.VALID, 0L),
                counts.getOrDefault(RecordStatus.INVALID, 0L),
                transformed,
                counts.getOrDefault(RecordStatus.DELETED, 0L));
    }

    /** The results of a part as far as they are counted. */
    private static final class ResultCounts implements AutoCloseable {

        private final Optional<ParquetFile.Reader> reader;
        private Optional<Group> now = Optional.empty();

        ResultCounts(Part part) throws IOException {
            this.reader = part.results().isPresent()
                    ? Optional.of(ResultFile.openCounts(part.results().get()))
                    : Optional.empty();
        }

        void advance() throws IOException {
            now = reader.isPresent() ? reader.get().next() : Optional.empty();
        }

        RecordStatus status() {
            return now.map(group -> RecordStatus.valueOf(group.getString("status", 0)))
                    .orElse(RecordStatus.UNTESTED);
        }

        boolean isChanged() {
            return now.map(group -> group.getBoolean("changed", 0)).orElse(false);
        }

        @Override
        public void close() throws IOException {
            if (reader.isPresent()) {
                reader.get().close();
            }
        }
    }

    /** Every snapshot that this one shows. */
    List<Snapshot> chain(long snapshot) {
        return snapshots.chain(snapshot);
    }
}
