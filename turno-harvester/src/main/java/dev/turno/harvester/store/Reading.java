package dev.turno.harvester.store;

import dev.turno.harvester.record.Selection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.example.data.Group;

/**
 * A walk over the parts of a snapshot, newest first: an identifier that was seen before is older here and passed over. Costs sixteen bytes
 * for each identifier. Not for several threads.
 */
final class Reading implements AutoCloseable {

    /** A row with what is known about it. */
    record Seen(Row row, Judged judged) {

        private long size() {
            return (long) row.xml().length
                    + judged.transformed().map(String::length).orElse(0);
        }
    }

    /** Some rows of one part, and the place after them. */
    record Stretch(Part part, long from, long to, List<Seen> rows) {}

    /** A stretch ends when its records are this large together: a thousand of a megabyte would not fit into memory. */
    private static final long LARGEST_STRETCH = 16L << 20;

    private final List<Part> parts;
    private final Selection selection;
    private final boolean metadata;
    private final KeySet seen = new KeySet();
    private int index;
    private long row;
    private Optional<ParquetFile.Reader> open = Optional.empty();
    private Optional<ParquetFile.Reader> results = Optional.empty();

    /** The row at {@link #row}, if it was read already: it did not fit into the stretch before. */
    private Optional<Seen> held = Optional.empty();

    /** @param metadata false to leave the XML and the results out */
    Reading(List<Part> parts, Selection selection, boolean metadata) {
        this.parts = parts;
        this.selection = selection;
        this.metadata = metadata;
    }

    /** Goes to a row of a part, or behind its last one; stays at the beginning if the part is not among these. */
    void seek(long part, long wished) throws IOException {
        if (parts.stream().noneMatch(one -> one.id() == part)) {
            return;
        }
        for (; parts.get(index).id() != part; index++) {
            seen.addAll(Ids.open(parts.get(index).file()).all());
        }
        // Cursors come from outside too: one that names a row without end would be looked for without end.
        long toRow = Math.min(wished, parts.get(index).rows());
        try (ParquetFile.Reader headers = RecordFile.open(parts.get(index).file(), false)) {
            for (long i = 0; i < toRow; i++) {
                headers.next().ifPresent(group -> seen.add(RecordFile.row(group).key()));
            }
        }
        openPart();
        for (; row < toRow; row++) {
            open.orElseThrow().next();
            if (results.isPresent()) {
                results.get().next();
            }
        }
    }

    private void openPart() throws IOException {
        Part part = parts.get(index);
        open = Optional.of(RecordFile.open(part.file(), metadata));
        results = metadata && part.results().isPresent()
                ? Optional.of(ResultFile.open(part.results().get()))
                : Optional.empty();
        row = 0;
    }

    /** The next rows, of one part; empty at the end. */
    Optional<Stretch> next(int size) throws IOException {
        while (open.isEmpty() || row == parts.get(index).rows()) {
            if (open.isPresent()) {
                closePart();
                index++;
            }
            skipUnwanted();
            if (index == parts.size()) {
                return Optional.empty();
            }
            openPart();
        }
        long from = row;
        List<Seen> rows = new ArrayList<>(Math.min(size, 10_000));
        Part part = parts.get(index);
        long bytes = 0;
        for (; row < part.rows(); row++) {
            Optional<Seen> next = held.isPresent() ? held : read(part);
            held = Optional.empty();
            if (next.isPresent() && (rows.size() == size || bytes >= LARGEST_STRETCH)) {
                // Read on to here, so that rows without use at the end of a part never make a stretch of their own.
                held = next;
                break;
            }
            if (next.isPresent()) {
                rows.add(next.get());
                bytes += next.get().size();
            }
        }
        return Optional.of(new Stretch(part, from, row, rows));
    }

    /** The next row of the open part; empty if it is not for this walk. */
    private Optional<Seen> read(Part part) throws IOException {
        Group group = open.orElseThrow()
                .next()
                .orElseThrow(() -> new IOException(part.file() + " is shorter than it should be."));
        Optional<Group> result = results.isPresent() ? results.get().next() : Optional.empty();
        Row one = RecordFile.row(group);
        boolean newestOfIts = seen.add(one.key());
        boolean wanted = (selection.deleted() || !one.deleted())
                && (selection.since().isEmpty()
                        || one.snapshot() > selection.since().getAsLong());
        return newestOfIts && wanted
                ? Optional.of(
                        new Seen(one, result.map(ResultFile::judged).orElseGet(() -> Judged.not(one.identifier()))))
                : Optional.empty();
    }

    /** Parts in which nothing is new enough are not opened; their identifiers count for older parts that are. */
    private void skipUnwanted() throws IOException {
        int next = index;
        while (next < parts.size() && !isWanted(parts.get(next))) {
            next++;
        }
        for (; index < next; index++) {
            if (next < parts.size()) {
                seen.addAll(Ids.open(parts.get(index).file()).all());
            }
        }
    }

    private boolean isWanted(Part part) {
        return selection.since().isEmpty() || part.newest() > selection.since().getAsLong();
    }

    private void closePart() throws IOException {
        if (open.isPresent()) {
            open.get().close();
            open = Optional.empty();
        }
        if (results.isPresent()) {
            results.get().close();
            results = Optional.empty();
        }
    }

    /** What it keeps in memory to go on; up to twice sixteen bytes for each identifier, just after it grew. */
    long bytes() {
        return seen.bytes() + held.map(Seen::size).orElse(0L);
    }

    @Override
    public void close() throws IOException {
        closePart();
    }
}
