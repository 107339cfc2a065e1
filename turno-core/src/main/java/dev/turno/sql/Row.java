package dev.turno.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The current row of a result; nullable columns are read as {@link Optional}. Valid only inside the mapper. */
public final class Row {

    /** Makes a value of a row. */
    @FunctionalInterface
    public interface Mapper<T> {
        T map(Row row) throws SQLException;
    }

    private final ResultSet result;
    private final Dialect dialect;

    Row(ResultSet result, Dialect dialect) {
        this.result = result;
        this.dialect = dialect;
    }

    public long longValue(String column) throws SQLException {
        return result.getLong(column);
    }

    public int intValue(String column) throws SQLException {
        return result.getInt(column);
    }

    public boolean booleanValue(String column) throws SQLException {
        return result.getBoolean(column);
    }

    public String text(String column) throws SQLException {
        return result.getString(column);
    }

    public Instant instant(String column) throws SQLException {
        return dialect.instant(result.getObject(column, dialect.timestampClass()));
    }

    /** Of a column in microseconds. What the clock has passed is zero: nobody waits for less than nothing. */
    public Duration duration(String column) throws SQLException {
        return Duration.of(Math.max(0, result.getLong(column)), ChronoUnit.MICROS);
    }

    public Optional<Duration> optionalDuration(String column) throws SQLException {
        Duration value = duration(column);
        return result.wasNull() ? Optional.empty() : Optional.of(value);
    }

    public Optional<String> optionalText(String column) throws SQLException {
        return Optional.ofNullable(result.getString(column));
    }

    public Optional<Long> optionalLong(String column) throws SQLException {
        long value = result.getLong(column);
        return result.wasNull() ? Optional.empty() : Optional.of(value);
    }

    public Optional<Instant> optionalInstant(String column) throws SQLException {
        return Optional.ofNullable(result.getObject(column, dialect.timestampClass()))
                .map(dialect::instant);
    }
}
