package dev.turno.web.dashboard;

import dev.turno.web.tables.WebTables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Limited looks into the features' tables, for the page alone; nothing is changed. Shared by threads. */
public final class Glances {

    private static final int MOST = 200;

    public record Oldest(String inbox, Instant turnAt) {}

    public record Key(
            String key,
            String state,
            long waiting,
            long inBurst,
            Optional<Instant> flushAt,
            Optional<Instant> atTheLatest,
            Optional<Instant> heldUntil,
            int attempt,
            Optional<String> error) {}

    public record Waiting(long seq, Instant addedAt, String type, String body) {}

    /** Tasks that start in one minute, in the share of one node; empty: in nobody's yet. */
    public record Peak(Instant minute, String type, Optional<String> node, long count) {}

    public record PastRun(long id, String state, Instant at, Optional<Instant> finishedAt, int attempt) {}

    /** Of a message: the number of its row, and the trace of whoever put it. */
    record Row(long id, Optional<String> trace) {}

    private final WebTables tables;

    Glances(WebTables tables) {
        this.tables = tables;
    }

    /** Per inbox the oldest moment at which a message that still waits could have been taken. */
    List<Oldest> oldest() {
        return tables.sql("glance-oldest")
                .query((row, index) -> new Oldest(
                        row.getString("inbox"), moment(row, "oldest_at").orElseThrow()))
                .list();
    }

    /** The keys of a buffer whose turn comes next. */
    List<Key> keys(String buffer, Optional<String> text) {
        return keys(buffer, text, MOST);
    }

    List<Key> keys(String buffer, Optional<String> text, int limit) {
        return tables.sql("glance-keys")
                .param("buffer", buffer)
                .param("text", text.orElse(""))
                .param("limit", limit)
                .query((row, index) -> new Key(
                        row.getString("buffer_key"),
                        row.getString("state"),
                        row.getLong("waiting"),
                        row.getLong("in_burst"),
                        moment(row, "next_at"),
                        moment(row, "latest_at"),
                        moment(row, "held_until"),
                        row.getInt("attempt"),
                        Optional.ofNullable(row.getString("error"))))
                .list();
    }

    /** What is not handed over yet, in the order of its coming. */
    List<Waiting> waiting(String buffer, String key) {
        return tables.sql("glance-waiting")
                .param("buffer", buffer)
                .param("key", key)
                .param("limit", MOST)
                .query((row, index) -> new Waiting(
                        row.getLong("seq"),
                        moment(row, "added_at").orElseThrow(),
                        row.getString("type"),
                        row.getString("body")))
                .list();
    }

    Optional<Row> row(String inbox, String message) {
        return tables.sql("glance-message")
                .param("inbox", inbox)
                .param("message", message)
                .query((row, index) -> new Row(row.getLong("id"), Optional.ofNullable(row.getString("trace"))))
                .optional();
    }

    /** What starts within the hour, by minute and node. */
    List<Peak> peaks() {
        return tables.sql("glance-peaks")
                .query((row, index) -> new Peak(
                        Instant.ofEpochSecond(row.getLong("minute_s")),
                        row.getString("type"),
                        Optional.ofNullable(row.getString("node")),
                        row.getLong("n")))
                .list();
    }

    /** The last runs of a schedule among the newest thousand that its type finished. */
    List<PastRun> runs(String schedule) {
        return tables.sql("glance-runs")
                .param("schedule", schedule)
                .query((row, index) -> new PastRun(
                        row.getLong("id"),
                        row.getString("state"),
                        moment(row, "task_at").orElseThrow(),
                        moment(row, "finished_at"),
                        row.getInt("attempt")))
                .list();
    }

    Optional<Instant> moment(ResultSet row, String column) throws SQLException {
        return tables.dialect().moment(row, column);
    }
}
