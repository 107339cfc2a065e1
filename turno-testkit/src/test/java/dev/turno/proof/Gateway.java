package dev.turno.proof;

import dev.turno.buffer.Burst;
import dev.turno.claim.Turn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * The gateway to which bursts are handed over. It writes down every call, in a table without any key, so that whatever comes twice
 * stands there twice. Bodies have no blanks. Threads may share it.
 */
final class Gateway {

    /** {@code as} is the key for the gateway. */
    record Call(String as, String key, List<String> bodies, long fence, String node) {}

    private final DataSource source;

    Gateway(DataSource source) {
        this.source = source;
    }

    void create() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table proof_gateway (handed_over_as varchar(400), buffer_key varchar(200),"
                    + " bodies varchar(15000), fence bigint, node varchar(200))");
        }
    }

    void call(Burst burst, Turn turn, String node) throws SQLException {
        String bodies = burst.messages().stream().map(message -> message.body()).collect(Collectors.joining(" "));
        try (Connection connection = source.getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("insert into proof_gateway values (?, ?, ?, ?, ?)")) {
            insert.setString(1, turn.key());
            insert.setString(2, burst.key());
            insert.setString(3, bodies);
            insert.setLong(4, turn.fence());
            insert.setString(5, node);
            insert.executeUpdate();
        }
    }

    /** By key and fence, which is the order of the hand-overs. */
    List<Call> calls() throws SQLException {
        List<Call> calls = new ArrayList<>();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select handed_over_as, buffer_key, bodies, fence, node"
                        + " from proof_gateway order by buffer_key, fence")) {
            while (row.next()) {
                calls.add(new Call(
                        row.getString(1),
                        row.getString(2),
                        List.of(row.getString(3).split(" ", -1)),
                        row.getLong(4),
                        row.getString(5)));
            }
        }
        return calls;
    }
}
