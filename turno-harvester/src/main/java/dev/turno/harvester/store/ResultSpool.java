package dev.turno.harvester.store;

import dev.turno.claim.Claim;
import dev.turno.harvester.record.RecordResult;
import dev.turno.harvester.record.RecordStatus;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetWriter;

/** Keeps the results of a part's pages until the part is through, then writes them into one file beside it. */
final class ResultSpool {

    private final Part part;
    private final Claim claim;
    private final Path folder;
    private final String prefix;

    ResultSpool(Part part, Claim claim) {
        this.part = part;
        this.claim = claim;
        this.folder = Durable.folderOf(part.file());
        this.prefix = "results-" + part.id() + "-" + claim.id();
    }

    /** Frees the spool from which the results of a part were built, as soon as they count. Before, a crash may need it again. */
    static void settle(Part part) throws IOException {
        if (part.results().isPresent()) {
            Spool.remove(Durable.folderOf(part.file()), spoolOf(part.results().get()), Long.MAX_VALUE);
        }
    }

    /** The prefix of the spool from which a file of results was built. */
    static String spoolOf(Path results) {
        return String.valueOf(results.getFileName()).replaceFirst("^judged-(\\d+-\\d+)-.*", "results-$1");
    }

    void keep(long from, long to, List<RecordResult> results) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(to);
        for (RecordResult result : results) {
            out.writeUTF(result.identifier());
            out.writeUTF(result.status().name());
            text(out, result.details());
            out.writeBoolean(result.transformed().isPresent());
            text(out, result.transformed().orElse(""));
        }
        Path old = folder.resolve(prefix + "-" + from + "-" + claim.fence() + ".spool");
        Files.deleteIfExists(old); // the same page, tried again by the same holder
        try (Spool spool = new Spool(folder, prefix, claim.fence())) {
            spool.append(from, new byte[0], bytes.toByteArray());
            spool.force();
        }
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    /** The file with the results of all rows; rows that were not judged now keep what they had. */
    Path build() throws IOException {
        Path file = folder.resolve("judged-" + part.id() + "-" + claim.id() + "-" + claim.fence() + ".parquet");
        List<Spool.Frame> frames = List.copyOf(Spool.read(folder, prefix).values());
        Durable.write(file, unfinished -> {
            try (ParquetWriter<Judged> writer = ResultFile.writer(unfinished);
                    ParquetFile.Reader rows = RecordFile.open(part.file(), false);
                    Old old = new Old(part)) {
                long at = 0;
                for (Spool.Frame frame : frames) {
                    if (frame.seq() != at) {
                        throw new IOException("The results of " + part.file() + " lack rows " + at + " to "
                                + frame.seq() + ". Judge the snapshot anew.");
                    }
                    at = write(frame, rows, old, writer);
                }
            }
        });
        return file;
    }

    private static long write(Spool.Frame frame, ParquetFile.Reader rows, Old old, ParquetWriter<Judged> writer)
            throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(frame.body()));
        long to = in.readLong();
        Map<String, Judged> judged = new HashMap<>();
        while (in.available() > 0) {
            String identifier = in.readUTF();
            RecordStatus status = RecordStatus.valueOf(in.readUTF());
            String details = text(in);
            boolean changed = in.readBoolean();
            String xml = text(in);
            judged.put(
                    identifier, new Judged(identifier, status, changed ? Optional.of(xml) : Optional.empty(), details));
        }
        for (long row = frame.seq(); row < to; row++) {
            String identifier =
                    rows.next().map(group -> group.getString("identifier", 0)).orElseThrow();
            Judged before = old.next(identifier);
            writer.write(judged.getOrDefault(identifier, before));
        }
        return to;
    }

    /** The results that the part had before. */
    private static final class Old implements AutoCloseable {

        private final Optional<ParquetFile.Reader> reader;

        Old(Part part) throws IOException {
            this.reader = part.results().isPresent()
                    ? Optional.of(ResultFile.open(part.results().get()))
                    : Optional.empty();
        }

        Judged next(String identifier) throws IOException {
            Optional<Group> group = reader.isPresent() ? reader.get().next() : Optional.empty();
            return group.map(ResultFile::judged).orElseGet(() -> Judged.not(identifier));
        }

        @Override
        public void close() throws IOException {
            if (reader.isPresent()) {
                reader.get().close();
            }
        }
    }
}
