package dev.turno.harvester.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.apache.parquet.hadoop.ParquetWriter;

/**
 * Writes one part, newest row first; of an identifier that comes again only the first is kept. Not for several threads.
 */
final class PartWriter implements AutoCloseable {

    private final Path file;
    private final Path unfinished;
    private final ParquetWriter<Row> rows;
    private final Optional<Path> results;
    private final Optional<ParquetWriter<Judged>> judged;
    private final KeySet seen = new KeySet();
    private long[] keys = new long[1 << 12];
    private int count;
    private long deletions;
    private long newest;
    private long bytes;
    private boolean finished;

    /** @param withResults whether results come with the rows */
    PartWriter(Path file, boolean withResults) throws IOException {
        Files.createDirectories(Durable.folderOf(file));
        this.file = file;
        this.unfinished = unfinished(file);
        Files.deleteIfExists(unfinished);
        this.rows = RecordFile.writer(unfinished);
        this.results = withResults
                ? Optional.of(file.resolveSibling(file.getFileName().toString().replaceFirst("^part-", "judged-")))
                : Optional.empty();
        this.judged = withResults ? Optional.of(resultWriter(results.get())) : Optional.empty();
    }

    private static ParquetWriter<Judged> resultWriter(Path results) throws IOException {
        Files.deleteIfExists(unfinished(results));
        return ResultFile.writer(unfinished(results));
    }

    private static Path unfinished(Path path) {
        return path.resolveSibling(path.getFileName() + ".tmp");
    }

    void add(Row row) throws IOException {
        add(row, Optional.empty());
    }

    void add(Row row, Optional<Judged> result) throws IOException {
        long key = row.key();
        if (!seen.add(key)) {
            return;
        }
        rows.write(row);
        if (judged.isPresent()) {
            judged.get().write(result.orElseGet(() -> Judged.not(row.identifier())));
        }
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, count * 2);
        }
        keys[count++] = key;
        deletions += row.deleted() ? 1 : 0;
        newest = Math.max(newest, row.snapshot());
        bytes += row.xml().length;
    }

    /** The size of the XML so far. */
    long bytes() {
        return bytes;
    }

    /** The part, on disk for good. */
    NewPart finish() throws IOException {
        rows.close();
        if (judged.isPresent()) {
            judged.get().close();
            publish(results.get());
        }
        Ids.write(file, Arrays.copyOf(keys, count));
        publish(file);
        finished = true;
        return new NewPart(
                file.getFileName().toString(),
                count,
                deletions,
                newest,
                results.map(path -> path.getFileName().toString()));
    }

    private static void publish(Path path) throws IOException {
        Durable.publish(unfinished(path), path);
    }

    @Override
    public void close() throws IOException {
        if (finished) {
            return;
        }
        try {
            rows.close();
            if (judged.isPresent()) {
                judged.get().close();
            }
        } finally {
            // Even if they could not be closed: what never became a part must not keep a disk full.
            Files.deleteIfExists(unfinished);
            if (results.isPresent()) {
                Files.deleteIfExists(unfinished(results.get()));
            }
        }
    }
}
