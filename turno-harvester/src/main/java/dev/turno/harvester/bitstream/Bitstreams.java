package dev.turno.harvester.bitstream;

import dev.turno.harvester.digest.Sha256;
import dev.turno.harvester.sql.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** The files of all records, and where they lie. Shared by threads. */
public final class Bitstreams {

    /** A file that a record names. */
    record Named(String recordHash, String identifier, String url) {}

    /** What is known of a file after something was tried with it. */
    private record After(
            BitstreamState state,
            @Nullable String mediaType,
            @Nullable Long size,
            @Nullable String sha256,
            @Nullable String error) {}

    private static final int LONGEST_URL = 2_000;
    private static final int LONGEST_TEXT = 1_000;

    private final Sql sql;
    private final Path folder;

    public Bitstreams(DataSource source, Path folder) {
        this.sql = new Sql(source, "bitstream");
        this.folder = folder;
    }

    public void createTables() {
        sql.createTables();
    }

    /** Where a file lies, or will. */
    public Path file(Bitstream bitstream) {
        String hash = Sha256.of(bitstream.url());
        return folder.resolve(Long.toString(bitstream.network()))
                .resolve(hash.substring(0, 2))
                .resolve(hash);
    }

    /** Where its text lies. */
    public Path text(Bitstream bitstream) {
        Path file = file(bitstream);
        return file.resolveSibling(file.getFileName() + ".txt");
    }

    /** Writes down files that were not known, in the transaction of the run's page. */
    void add(Connection connection, long network, Collection<String> hashes, List<Named> named) {
        if (hashes.isEmpty()) {
            return;
        }
        Set<String> known = new HashSet<>(sql.call(connection, "known")
                .param("network", network)
                .param("hashes", hashes)
                .query((row, n) -> row.getString("record_hash") + row.getString("url_hash"))
                .list());
        for (Named one : named) {
            if (one.url().length() <= LONGEST_URL && known.add(one.recordHash() + Sha256.of(one.url()))) {
                sql.call(connection, "add")
                        .param("network", network)
                        .param("hash", one.recordHash())
                        .param("identifier", fit(one.identifier()))
                        .param("url", one.url())
                        .param("url_hash", Sha256.of(one.url()))
                        .update();
            }
        }
    }

    private static String fit(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
    }

    /** Forgets the files of a network, and removes them. */
    public void forgetNetwork(long network) throws IOException {
        sql.call("forget-network").param("network", network).update();
        Path files = folder.resolve(Long.toString(network));
        if (Files.isDirectory(files)) {
            FileSystemUtils.deleteRecursively(files);
        }
    }

    /** Those in a state, in the order of their numbers. */
    public List<Bitstream> waiting(long network, BitstreamState state, long after, int limit) {
        return sql.call("waiting")
                .param("network", network)
                .param("state", state.name())
                .param("after", after)
                .param("limit", limit)
                .query(Bitstreams::row)
                .list();
    }

    public List<Bitstream> ofRecord(long network, String recordHash) {
        return sql.call("of-record")
                .param("network", network)
                .param("hash", recordHash)
                .query(Bitstreams::row)
                .list();
    }

    public Map<BitstreamState, Long> counts(long network) {
        Map<BitstreamState, Long> counts = new HashMap<>();
        sql.call("counts")
                .param("network", network)
                .query((row, n) -> counts.put(BitstreamState.valueOf(row.getString("state")), row.getLong("n")))
                .list();
        return counts;
    }

    private static Bitstream row(ResultSet row, int number) throws SQLException {
        return new Bitstream(
                row.getLong("id"),
                row.getLong("network_id"),
                row.getString("record_hash"),
                row.getString("identifier"),
                row.getString("url"),
                BitstreamState.valueOf(row.getString("state")),
                Optional.ofNullable(row.getString("media_type")),
                Optional.ofNullable(row.getString("sha256")));
    }

    /** One that broke off waits for the next run; this one goes on behind it. */
    void downloaded(Bitstream was, Downloaded result) {
        change(
                was,
                result.fold(
                        done -> new After(
                                BitstreamState.DOWNLOADED, done.mediaType(), done.size(), done.sha256(), null),
                        refused -> new After(BitstreamState.FAILED, null, null, null, refused.why()),
                        broken -> new After(BitstreamState.NEW, null, null, null, broken.why())));
    }

    void read(Bitstream was, BitstreamState state, long size, @Nullable String error) {
        change(
                was,
                new After(
                        state, was.mediaType().orElse(null), size, was.sha256().orElse(null), error));
    }

    private void change(Bitstream was, After after) {
        sql.call("change")
                .param("id", was.id())
                .param("was", was.state().name())
                .param("state", after.state().name())
                .param("media_type", after.mediaType())
                .param("size", after.size())
                .param("sha256", after.sha256())
                .param("error", after.error() == null ? null : fit(after.error()))
                .update();
    }
}
