package dev.turno.harvester.network;

import dev.turno.claim.Claim;
import dev.turno.claim.ClaimLostException;
import dev.turno.harvester.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The snapshots of all networks. What a harvest writes about its own is refused once its run was taken over. Shared by threads. */
public final class Snapshots {

    /** A line of a snapshot's log. */
    public record LogLine(long id, Instant loggedAt, String line) {}

    /** Something that could not be used; the file has it as it came. */
    public record Quarantined(long id, String identifier, String reason, String file, Instant foundAt) {}

    /** How a new harvest shall be: everything or only what is new, up to which moment of the source's clock. */
    public record Beginning(
            long network,
            Optional<Snapshot> previous,
            boolean full,
            Instant until,
            Optional<Instant> lastFull,
            String origin) {}

    private static final int MOST = 1_001; // the longest page, and one more that tells whether there is another
    private static final int LONGEST_CHAIN = 10_000;

    private final Sql sql;

    public Snapshots(DataSource source) {
        this.sql = new Sql(source, "network");
    }

    public Optional<Snapshot> find(long id) {
        return sql.call("snapshot").param("id", id).query(this::stored).optional();
    }

    public Optional<Snapshot> ofRun(long run) {
        return sql.call("snapshot-of-run").param("run", run).query(this::stored).optional();
    }

    /** The last one whose harvest is complete. A stopped or failed harvest is never among them. */
    public Optional<Snapshot> lastGood(long network) {
        return sql.call("last-good")
                .param("network", network)
                .query(this::stored)
                .optional();
    }

    /** Newest first, older than {@code before}. */
    public List<Snapshot> list(long network, Optional<Long> before, int limit) {
        return sql.call("snapshots")
                .param("network", network)
                .param("before", before.orElse(Long.MAX_VALUE))
                .param("limit", Math.min(limit, MOST))
                .query(this::stored)
                .list();
    }

    /** The snapshots that this one shows, newest first: itself, and those it lies over. */
    public List<Snapshot> chain(long id) {
        List<Snapshot> chain = new ArrayList<>();
        for (Optional<Snapshot> next = find(id); next.isPresent() && chain.size() < LONGEST_CHAIN; ) {
            chain.add(next.get());
            next = next.get().full() ? Optional.empty() : next.get().previous().flatMap(this::find);
        }
        if (chain.size() == LONGEST_CHAIN) {
            throw new IllegalStateException("Snapshot " + id + " lies over more than " + LONGEST_CHAIN
                    + " others, and not all of its records can be seen. Harvest the network in full.");
        }
        return chain;
    }

    /** When everything was last asked for, as of this snapshot. */
    public Optional<Instant> lastFull(long id) {
        return sql.call("snapshot")
                .param("id", id)
                .query((row, n) -> sql.moment(row, "full_at"))
                .optional()
                .flatMap(at -> at);
    }

    /** What was asked of whom, hashed. */
    public String origin(long id) {
        return sql.call("snapshot")
                .param("id", id)
                .query((row, n) -> row.getString("origin"))
                .optional()
                .orElse("");
    }

    /** One more failure of the source; answers how many there were since it last gave a page. */
    public int failedAgain(long id, Claim claim) {
        sql.call("snapshot-failed-again")
                .param("id", id)
                .param("fence", claim.fence())
                .update();
        return sql.call("snapshot")
                .param("id", id)
                .query((row, n) -> row.getInt("failures"))
                .optional()
                .orElse(0);
    }

    /** The snapshot of a run, from now on under this fence; empty if the run has none yet. */
    public Optional<Snapshot> takeOver(Claim claim) {
        sql.call("snapshot-take-over")
                .param("run", claim.id())
                .param("fence", claim.fence())
                .update();
        return ofRun(claim.id());
    }

    public Snapshot begin(Claim claim, Beginning beginning) {
        sql.call("snapshot-begin")
                .param("network", beginning.network())
                .param("previous", beginning.previous().map(Snapshot::id).orElse(null))
                .param("alone", beginning.full())
                .param("run", claim.id())
                .param("fence", claim.fence())
                .param("until", sql.moment(beginning.until()))
                .param("origin", beginning.origin())
                .param("full", beginning.lastFull().map(sql::moment).orElse(null))
                .update();
        return ofRun(claim.id()).orElseThrow();
    }

    /** Adds to the counts, in the transaction of the run's page. */
    public void count(Connection connection, long id, Claim claim, long records, long deletions, long quarantined) {
        requireKept(
                claim,
                sql.call(connection, "snapshot-count")
                        .param("id", id)
                        .param("fence", claim.fence())
                        .param("records", records)
                        .param("deletions", deletions)
                        .param("quarantined", quarantined)
                        .update());
    }

    /** The harvest is complete: from this commit on it is the last good one. */
    public void complete(
            Connection connection, long id, Claim claim, boolean empty, long records, long deletions, long total) {
        requireKept(
                claim,
                sql.call(connection, "snapshot-complete")
                        .param("id", id)
                        .param("fence", claim.fence())
                        .param("status", (empty ? SnapshotStatus.EMPTY : SnapshotStatus.HARVESTED).name())
                        .param("records", records)
                        .param("deletions", deletions)
                        .param("total", total)
                        .update());
    }

    /** Why the harvest cannot go on; it is seen until the run is resumed. */
    public void fail(long id, Claim claim, SnapshotStatus status, String error) {
        sql.call("snapshot-fail")
                .param("id", id)
                .param("fence", claim.fence())
                .param("status", status.name())
                .param("error", fit(error, 4_000))
                .update();
    }

    /** A person says that this snapshot may be so small; its run can be resumed then. */
    public boolean accept(long id) {
        return sql.call("snapshot-accept").param("id", id).update() == 1;
    }

    public boolean isAccepted(long id) {
        return sql.call("snapshot")
                .param("id", id)
                .query((row, n) -> row.getBoolean("accepted"))
                .optional()
                .orElse(false);
    }

    /** What became of a complete snapshot: VALIDATED, INDEXING, INDEXED or INDEX_FAILED; false if it is not complete. */
    public boolean mark(Connection connection, long id, SnapshotStatus status, Optional<String> error) {
        return sql.call(connection, "snapshot-status")
                        .param("id", id)
                        .param("status", status.name())
                        .param("error", error.map(text -> fit(text, 4_000)).orElse(null))
                        .update()
                == 1;
    }

    /** What the rules found, in the transaction of the run's page. */
    public void judged(Connection connection, long id, long valid, long transformed) {
        sql.call(connection, "snapshot-judged")
                .param("id", id)
                .param("valid", valid)
                .param("transformed", transformed)
                .update();
    }

    public void log(long id, String line) {
        sql.call("log").param("snapshot", id).param("line", fit(line, 1_000)).update();
    }

    public List<LogLine> log(long id, long after, int limit) {
        return sql.call("log-lines")
                .param("snapshot", id)
                .param("after", after)
                .param("limit", Math.min(limit, MOST))
                .query((row, n) -> new LogLine(
                        row.getLong("id"), sql.moment(row, "logged_at").orElseThrow(), row.getString("line")))
                .list();
    }

    public void quarantine(Connection connection, long id, String identifier, String reason, String file) {
        sql.call(connection, "quarantine-add")
                .param("snapshot", id)
                .param("identifier", fit(identifier, 1_000))
                .param("reason", fit(reason, 1_000))
                .param("file", file)
                .update();
    }

    public List<Quarantined> quarantined(long id, long after, int limit) {
        return sql.call("quarantined")
                .param("snapshot", id)
                .param("after", after)
                .param("limit", Math.min(limit, MOST))
                .query((row, n) -> new Quarantined(
                        row.getLong("id"),
                        row.getString("identifier"),
                        row.getString("reason"),
                        row.getString("file"),
                        sql.moment(row, "found_at").orElseThrow()))
                .list();
    }

    /** From now on it stands alone: its parts hold everything. */
    public void standAlone(Connection connection, long id) {
        sql.call(connection, "snapshot-alone").param("id", id).update();
    }

    /** Forgets a snapshot with its log and its parts; the files are the store's to remove. */
    public void remove(Connection connection, long id) {
        sql.call(connection, "log-remove").param("snapshot", id).update();
        sql.call(connection, "quarantine-remove").param("snapshot", id).update();
        sql.call(connection, "parts-remove").param("snapshot", id).update();
        sql.call(connection, "snapshot-remove").param("id", id).update();
    }

    private static void requireKept(Claim claim, int rows) {
        if (rows != 1) {
            throw new ClaimLostException("Run " + claim.id() + " lost its snapshot: fence " + claim.fence()
                    + " is not the newest any more, or the snapshot is complete. Nothing of this page was stored.");
        }
    }

    private static String fit(String text, int most) {
        String clean = text.replace('\0', '\uFFFD');
        return clean.length() <= most ? clean : clean.substring(0, most);
    }

    private static Optional<Long> number(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(value);
    }

    private static Optional<String> text(@Nullable String column) {
        return Optional.ofNullable(column);
    }

    private Snapshot stored(ResultSet row, int n) throws SQLException {
        return new Snapshot(
                row.getLong("id"),
                row.getLong("network_id"),
                number(row, "previous_id"),
                row.getBoolean("stands_alone"),
                row.getLong("run_id"),
                SnapshotStatus.valueOf(row.getString("status")),
                sql.moment(row, "started_at").orElseThrow(),
                sql.moment(row, "finished_at"),
                sql.moment(row, "until_at"),
                row.getLong("records"),
                row.getLong("deletions"),
                row.getLong("valid"),
                row.getLong("transformed"),
                row.getLong("quarantined"),
                row.getLong("total"),
                text(row.getString("error")));
    }
}
