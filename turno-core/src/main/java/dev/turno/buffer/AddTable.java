package dev.turno.buffer;

import dev.turno.sql.Call;
import dev.turno.sql.Columns;
import dev.turno.sql.Database;
import dev.turno.sql.KnownRows;
import dev.turno.sql.Row;
import dev.turno.sql.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Stores messages under the lock of their key's row, and moves its clock if any of them is new. */
final class AddTable {

    /** In characters. What the server takes in one message has a limit (16 MB on MariaDB), and one of them may need seven bytes. */
    private static final int PIECE = 2_097_152;

    /** Made by the statement itself, where it needs one. */
    private static final String SAVEPOINT = "turno_add";

    private final Database database;
    private final BufferName name;
    private final BufferOptions options;
    private final KnownRows headers;

    AddTable(Database database, BufferName name, BufferOptions options) {
        this.database = database;
        this.name = name;
        this.options = options;
        this.headers = new KnownRows(database.time());
        if (database.dialect().addsInOneStatement()) {
            database.statements().require("buffer.add");
        } else {
            database.statements().require("buffer.add-lock", "buffer.add-key", "buffer.add-known", "buffer.add-ids");
            database.statements()
                    .require("buffer.add-turn", "buffer.add-messages", "buffer.add-answer", "buffer.add-lag");
        }
    }

    Added add(String key, List<BufferMessage> messages) {
        String ifItFails = messages.size() + " messages for '" + key + "' may not have been added to " + name
                + ". Add them again; those with an id are never added twice.";
        return isOneStatement(messages)
                ? database.once(ifItFails, session -> atOnce(session, key, messages, true))
                : database.transaction(ifItFails, session -> inSteps(session, key, messages, Duration.ZERO));
    }

    private boolean isOneStatement(List<BufferMessage> messages) {
        return database.dialect().addsInOneStatement() && pieces(messages).size() == 1;
    }

    /** In the caller's transaction: all of them, or nothing, also if the caller goes on after a failure. */
    Added add(Connection connection, String key, List<BufferMessage> messages) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("Messages for '" + key + "' cannot be added to " + name
                    + " on a connection in auto-commit mode, where there is no transaction to join. Call"
                    + " setAutoCommit(false) first, or add them without a connection. Nothing was stored.");
        }
        Session session = database.on(connection);
        return isOneStatement(messages)
                ? atOnceIn(connection, session, key, messages)
                : inStepsIn(connection, session, key, messages);
    }

    private Added atOnceIn(Connection connection, Session session, String key, List<BufferMessage> messages)
            throws SQLException {
        try {
            return atOnce(session, key, messages, false);
        } catch (SQLException e) {
            database.undoTo(SAVEPOINT, connection);
            throw e;
        }
    }

    private Added inStepsIn(Connection connection, Session session, String key, List<BufferMessage> messages)
            throws SQLException {
        Savepoint before = connection.setSavepoint();
        try {
            return inSteps(session, key, messages, lag(session));
        } catch (SQLException e) {
            rollBack(connection, before, e);
            throw e;
        }
    }

    private static void rollBack(Connection connection, Savepoint before, SQLException because) {
        try {
            connection.rollback(before);
        } catch (SQLException e) { // the server has rolled back the whole transaction
            because.addSuppressed(e);
        }
    }

    private Added inSteps(Session session, String key, List<BufferMessage> messages, Duration lag) throws SQLException {
        if (!database.dialect().addsInOneStatement()) {
            return stepByStep(session, key, messages, lag);
        }
        int stored = 0;
        Added last = new Added(0, 0, 0, Optional.empty(), Optional.empty());
        for (List<BufferMessage> piece : pieces(messages)) {
            last = atOnce(session, key, piece, false);
            stored += last.stored();
        }
        return new Added(stored, messages.size() - stored, last.seq(), last.flushAt(), last.in());
    }

    private static List<List<BufferMessage>> pieces(List<BufferMessage> messages) {
        List<List<BufferMessage>> pieces = new ArrayList<>();
        int from = 0;
        int length = 0;
        for (int i = 0; i < messages.size(); i++) {
            int more = messages.get(i).body().length();
            if (i > from && length + more > PIECE) {
                pieces.add(messages.subList(from, i));
                from = i;
                length = 0;
            }
            length += more;
        }
        pieces.add(messages.subList(from, messages.size()));
        return pieces;
    }

    /** How far the database's clock lags behind within the caller's transaction: H2's stands still there. */
    private Duration lag(Session session) throws SQLException {
        if (database.dialect().addsInOneStatement() || database.time().now().isPresent()) {
            return Duration.ZERO;
        }
        return session.sql("buffer.add-lag")
                .first(row -> row.duration("lag_us"))
                .orElse(Duration.ZERO);
    }

    private Added atOnce(Session session, String key, List<BufferMessage> messages, boolean own) throws SQLException {
        Optional<Added> added = ask(session, key, messages, own);
        if (added.isEmpty()) {
            // All are known, but not the key: its first add ended after this statement had begun. The next one sees it.
            added = ask(session, key, messages, own);
        }
        // Or it was forgotten since, so that it has no messages.
        return added.orElseGet(() -> new Added(0, messages.size(), 0, Optional.empty(), Optional.empty()));
    }

    private Optional<Added> ask(Session session, String key, List<BufferMessage> messages, boolean own)
            throws SQLException {
        List<BufferMessage> distinct = distinct(messages, Set.of());
        return withTerms(session.sql("buffer.add"), distinct, Duration.ZERO)
                .set("own", own)
                .set("header", headers.find(key))
                .set("buffer", name.id())
                .set("key", key)
                .setRows(columns(distinct))
                .first(row -> {
                    rememberHeader(row, key, own);
                    return added(row, row.intValue("stored"), messages.size());
                });
    }

    private void rememberHeader(Row row, String key, boolean own) throws SQLException {
        if (database.dialect().locksGaps()) {
            Optional<Long> header = row.optionalLong("header");
            header.ifPresentOrElse(id -> headers.remember(key, id, own), () -> headers.forget(key));
        }
    }

    private Added stepByStep(Session session, String key, List<BufferMessage> messages, Duration lag)
            throws SQLException {
        long header = lock(session, key);
        List<BufferMessage> fresh = distinct(messages, known(session, key, messages));
        if (!fresh.isEmpty()) {
            List<String> ids =
                    fresh.stream().flatMap(message -> message.id().stream()).toList();
            if (!ids.isEmpty()) {
                ofKey(session, "buffer.add-ids", key).setAllTexts("ids", ids).update();
            }
            withTerms(session.sql("buffer.add-turn"), fresh, lag)
                    .set("row", header)
                    .set("total", fresh.size())
                    .set("bytes", bytes(fresh))
                    .update();
            session.sql("buffer.add-messages")
                    .set("row", header)
                    .set("total", fresh.size())
                    .setRows(columns(fresh))
                    .update();
        }
        return session.sql("buffer.add-answer")
                .set("row", header)
                .set("lag_us", lag)
                .first(row -> added(row, fresh.size(), messages.size()))
                .orElseThrow();
    }

    private long lock(Session session, String key) throws SQLException {
        Optional<Long> header = find(session, key);
        if (header.isPresent()) {
            return header.get();
        }
        ofKey(session, "buffer.add-key", key).insertUnlessThere();
        return find(session, key)
                .orElseThrow(() ->
                        new SQLException("The key '" + key + "' was forgotten while it was added to; add again."));
    }

    private Optional<Long> find(Session session, String key) throws SQLException {
        return ofKey(session, "buffer.add-lock", key).first(row -> row.longValue("id"));
    }

    private Set<String> known(Session session, String key, List<BufferMessage> messages) throws SQLException {
        List<String> ids =
                messages.stream().flatMap(message -> message.id().stream()).toList();
        return ids.isEmpty()
                ? Set.of()
                : Set.copyOf(ofKey(session, "buffer.add-known", key)
                        .setAllTexts("ids", ids)
                        .list(row -> row.text("message_id")));
    }

    private Call ofKey(Session session, String statement, String key) {
        return session.sql(statement).set("buffer", name.id()).set("key", key);
    }

    /** Those not known; the first of several with one id. */
    private static List<BufferMessage> distinct(List<BufferMessage> messages, Set<String> known) {
        Set<String> seen = new HashSet<>(known);
        List<BufferMessage> distinct = new ArrayList<>(messages.size());
        for (BufferMessage message : messages) {
            if (message.id().isEmpty() || seen.add(message.id().get())) {
                distinct.add(message);
            }
        }
        return distinct;
    }

    private Call withTerms(Call call, List<BufferMessage> messages, Duration lag) {
        return call.set("quiet_us", options.quiet().plus(lag))
                .set("max_wait_us", options.maxWait().plus(lag))
                .set("max_count", options.maxCount())
                .set("max_bytes", options.maxBytes())
                .set("flush", messages.stream().anyMatch(options::isFlushWord));
    }

    private static long bytes(List<BufferMessage> messages) {
        return messages.stream().mapToLong(BufferMessage::bytes).sum();
    }

    private Columns<BufferMessage> columns(List<BufferMessage> messages) {
        return Columns.<BufferMessage>of("m", messages)
                .texts("id", message -> message.id().orElse(null))
                .longs(
                        "sent_us",
                        message -> message.sentAt().map(Database::micros).orElse(null))
                .texts("type", BufferMessage::type)
                .texts("body", BufferMessage::body)
                .longs("bytes", BufferMessage::bytes)
                .longs("flush", message -> options.isFlushWord(message) ? 1L : 0L);
    }

    private static Added added(Row row, int stored, int asked) throws SQLException {
        return new Added(
                stored,
                asked - stored,
                row.longValue("seq"),
                row.optionalInstant("next_at"),
                row.optionalDuration("wait_us"));
    }
}
