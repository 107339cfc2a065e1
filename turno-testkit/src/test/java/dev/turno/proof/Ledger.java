package dev.turno.proof;

import dev.turno.claim.Turn;
import dev.turno.inbox.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * What handlers say they did, in a table without any key, so that whatever happens twice stands there twice. Written through a
 * connection of its own, or in the handler's own transaction. Threads may share it.
 */
final class Ledger {

    /** At {@code atMillis}, by this machine's clock, {@code node} had the message {@code id} under {@code fence}. */
    record Entry(String id, String node, long fence, long atMillis) {

        static Entry now(Message message, Turn turn, String node) {
            return new Entry(message.id(), node, turn.fence(), System.currentTimeMillis());
        }
    }

    private final DataSource source;

    /** @param source is used by nobody else, at least not by the product */
    Ledger(DataSource source) {
        this.source = source;
    }

    void create() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table proof_ledger (message_id varchar(200), node varchar(200), fence bigint, at_ms bigint)");
        }
    }

    /** One after the other, so that one connection is enough for any number of handlers. */
    synchronized void write(Entry entry) throws SQLException {
        try (Connection connection = source.getConnection()) {
            write(connection, entry);
        }
    }

    static void write(Connection connection, Entry entry) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into proof_ledger values (?, ?, ?, ?)")) {
            insert.setString(1, entry.id());
            insert.setString(2, entry.node());
            insert.setLong(3, entry.fence());
            insert.setLong(4, entry.atMillis());
            insert.executeUpdate();
        }
    }

    List<Entry> read() throws SQLException {
        List<Entry> entries = new ArrayList<>();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select message_id, node, fence, at_ms from proof_ledger order by at_ms")) {
            while (row.next()) {
                entries.add(new Entry(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4)));
            }
        }
        return entries;
    }

    List<Entry> of(String node) throws SQLException {
        return read().stream().filter(entry -> entry.node().equals(node)).toList();
    }

    /** How often each message stands there. */
    Map<String, Integer> times() throws SQLException {
        Map<String, Integer> times = new HashMap<>();
        read().forEach(entry -> times.merge(entry.id(), 1, Integer::sum));
        return times;
    }
}
