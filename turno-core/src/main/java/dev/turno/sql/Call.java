package dev.turno.sql;

import dev.turno.claim.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One statement with its values. Moments and durations are bound as microseconds. Not shared by threads. */
public final class Call {

    private final Connection connection;
    private final Dialect dialect;
    private final Statements.Parsed statement;
    private final Map<String, @Nullable Object> values = new HashMap<>();

    Call(Connection connection, Dialect dialect, Statements.Parsed statement) {
        this.connection = connection;
        this.dialect = dialect;
        this.statement = statement;
    }

    /** A long, int, boolean, String, Instant, Duration or null. */
    public Call set(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    public Call set(String name, Optional<?> value) {
        values.put(name, value.orElse(null));
        return this;
    }

    /** An array of numbers. */
    public Call setAll(String name, Collection<Long> numbers) {
        values.put(name, new Columns.Column(Columns.Type.LONG, new ArrayList<>(numbers)));
        return this;
    }

    /** Claims of one fence, as {@code :ids} and {@code :fence}. */
    public Call setClaims(List<Claim> claims) {
        return setAll("ids", claims.stream().map(Claim::id).toList())
                .set("fence", claims.get(0).fence());
    }

    public Call setAllTexts(String name, Collection<String> texts) {
        values.put(name, new Columns.Column(Columns.Type.TEXT, new ArrayList<>(texts)));
        return this;
    }

    public Call setRows(Columns<?> columns) {
        values.put(columns.group(), columns);
        columns.columns().forEach((name, column) -> values.put(columns.group() + "_" + name, column));
        return this;
    }

    public int update() throws SQLException {
        try (PreparedStatement prepared = prepare()) {
            if (statement.before() > 0) {
                runThrough(prepared);
                return prepared.getUpdateCount();
            }
            int count = prepared.executeUpdate();
            dialect.requireSafe(prepared);
            return count;
        }
    }

    /** Changes at most one row and answers the number in {@code column} of it; empty if there was none to change. */
    public Optional<Long> updateOne(String column) throws SQLException {
        if (dialect.updatesReturn()) {
            return first(row -> row.longValue(column));
        }
        try (PreparedStatement prepared = prepare(Statement.RETURN_GENERATED_KEYS)) {
            return prepared.executeUpdate() == 0 ? Optional.empty() : Optional.of(drawn(prepared));
        }
    }

    /** What the statement drew with {@code last_insert_id}, which came back with its count: no second question is needed. */
    private static long drawn(PreparedStatement prepared) throws SQLException {
        try (ResultSet keys = prepared.getGeneratedKeys()) {
            if (!keys.next()) {
                throw new SQLException("The driver did not return what the statement drew with last_insert_id.");
            }
            return keys.getLong(1);
        }
    }

    /** False if the row was there already. Only where a refused insert leaves the transaction usable, or is not an error. */
    public boolean insertUnlessThere() throws SQLException {
        try {
            return update() == 1;
        } catch (SQLException e) {
            if (dialect.isDuplicate(e)) {
                return false;
            }
            throw e;
        }
    }

    /** What an insert answers; empty if the row was there already. As with {@link #insertUnlessThere}. */
    public <T> Optional<T> firstUnlessThere(Row.Mapper<T> mapper) throws SQLException {
        try {
            return first(mapper);
        } catch (SQLException e) {
            if (dialect.isDuplicate(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    public <T> List<T> list(Row.Mapper<T> mapper) throws SQLException {
        try (PreparedStatement prepared = prepare();
                ResultSet result = rowsOf(prepared)) {
            Row row = new Row(result, dialect);
            List<T> list = new ArrayList<>();
            while (result.next()) {
                list.add(mapper.map(row));
            }
            return list;
        }
    }

    private ResultSet rowsOf(PreparedStatement prepared) throws SQLException {
        if (statement.before() > 0) {
            runThrough(prepared);
            return prepared.getResultSet();
        }
        ResultSet rows = prepared.executeQuery();
        dialect.requireSafe(prepared);
        return rows;
    }

    /** Runs it with what goes before it; then its own result is the current one. */
    private void runThrough(PreparedStatement prepared) throws SQLException {
        prepared.execute();
        dialect.requireSafe(prepared);
        for (int i = 0; i < statement.before(); i++) {
            prepared.getMoreResults();
        }
    }

    public <T> Optional<T> first(Row.Mapper<T> mapper) throws SQLException {
        return list(mapper).stream().findFirst();
    }

    private PreparedStatement prepare() throws SQLException {
        return bind(connection.prepareStatement(statement.text()));
    }

    private PreparedStatement prepare(int generatedKeys) throws SQLException {
        return bind(connection.prepareStatement(statement.text(), generatedKeys));
    }

    private PreparedStatement bind(PreparedStatement prepared) throws SQLException {
        try {
            int position = 1;
            for (String name : statement.parameters()) {
                bind(prepared, position++, name);
            }
            return prepared;
        } catch (SQLException | RuntimeException e) {
            prepared.close();
            throw e;
        }
    }

    private void bind(PreparedStatement prepared, int position, String name) throws SQLException {
        Object value = values.get(name);
        if (value == null) {
            if (!values.containsKey(name)) {
                throw new IllegalStateException(
                        "Statement '" + statement.name() + "' was given no value for :" + name + ".");
            }
            prepared.setNull(position, Types.NULL);
        } else if (value instanceof Instant instant) {
            prepared.setLong(position, micros(instant));
        } else if (value instanceof Duration duration) {
            prepared.setLong(position, micros(duration));
        } else if (value instanceof Columns.Column column) {
            prepared.setObject(position, dialect.array(connection, column.values(), column.type()));
        } else if (value instanceof Columns<?> columns) {
            prepared.setString(position, columns.json());
        } else {
            prepared.setObject(position, value);
        }
    }

    static long micros(Instant instant) {
        return Math.multiplyExact(instant.getEpochSecond(), 1_000_000L) + instant.getNano() / 1_000;
    }

    static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }
}
