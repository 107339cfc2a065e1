package dev.turno.harvester.store;

import dev.turno.harvester.network.Snapshot;
import dev.turno.harvester.network.Snapshots;
import dev.turno.harvester.sql.Sql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Which files count. */
final class PartTable {

    private final Sql sql;
    private final Snapshots snapshots;
    private final Path base;

    PartTable(DataSource source, Snapshots snapshots, Path base) {
        this.sql = new Sql(source, "network");
        this.snapshots = snapshots;
        this.base = base;
    }

    static Path folder(Path base, long network, long snapshot) {
        return base.resolve("network-" + network).resolve("snap-" + snapshot);
    }

    Path folder(Snapshot snapshot) {
        return folder(base, snapshot.network(), snapshot.id());
    }

    /** Everything that a snapshot shows, newest first. */
    List<Part> chain(long snapshot) {
        List<Part> parts = new ArrayList<>();
        snapshots.chain(snapshot).forEach(one -> parts.addAll(of(one)));
        return parts;
    }

    /** The files of one snapshot, newest first. */
    List<Part> of(Snapshot snapshot) {
        Path folder = folder(snapshot);
        return sql.call("parts")
                .param("snapshot", snapshot.id())
                .query((row, n) -> part(row, folder))
                .list();
    }

    private static Part part(ResultSet row, Path folder) throws SQLException {
        return new Part(
                row.getLong("id"),
                row.getLong("snapshot_id"),
                row.getInt("seq"),
                folder.resolve(row.getString("file")),
                row.getLong("row_count"),
                row.getLong("deletions"),
                row.getLong("newest"),
                Optional.ofNullable(row.getString("results")).map(folder::resolve));
    }

    void add(Connection connection, long snapshot, int seq, NewPart part) {
        sql.call(connection, "part-add")
                .param("snapshot", snapshot)
                .param("seq", seq)
                .param("file", part.file())
                .param("rows", part.rows())
                .param("deletions", part.deletions())
                .param("newest", part.newest())
                .param("results", part.results().orElse(null))
                .update();
    }

    void judged(Connection connection, long part, Path results) {
        sql.call(connection, "part-judged")
                .param("id", part)
                .param("results", results.getFileName().toString())
                .update();
    }

    void removeAll(Connection connection, long snapshot) {
        sql.call(connection, "parts-remove").param("snapshot", snapshot).update();
    }
}
