package dev.turno.web.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessResourceFailureException;

/** The databases for which there are statements. */
public enum Dialect {
    POSTGRESQL("statement_timestamp()"),
    MARIADB("utc_timestamp(6)"),
    H2("current_timestamp(6)");

    private final String clock;

    Dialect(String clock) {
        this.clock = clock;
    }

    /** That of the database that the source leads to. */
    public static Dialect of(DataSource source) {
        try (Connection connection = source.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            return first(dialect -> dialect.name().equalsIgnoreCase(product))
                    .orElseThrow(() -> new IllegalArgumentException(
                            "Turno runs on PostgreSQL, MariaDB and H2; this data source leads to " + product
                                    + ", for which it has no statements."));
        } catch (SQLException e) {
            throw new DataAccessResourceFailureException(
                    "The database could not be reached at start-up: " + e.getMessage()
                            + ". Check the URL, the account and that the server runs, then start again.",
                    e);
        }
    }

    /**
     * That of a name that a person wrote.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Dialect named(String name) {
        return first(dialect -> dialect.folder().equals(name))
                .orElseThrow(() -> new IllegalArgumentException("There are no tables for '" + name + "'; use one of "
                        + List.of(values()).stream().map(Dialect::folder).toList() + "."));
    }

    private static Optional<Dialect> first(Predicate<Dialect> wanted) {
        return Arrays.stream(values()).filter(wanted).findFirst();
    }

    /** {@code postgresql}, {@code mariadb} or {@code h2}: the name of its folders, and the one that people use. */
    public String folder() {
        return name().toLowerCase(Locale.ROOT);
    }

    String clock() {
        return clock;
    }

    /** A moment as the driver takes it. */
    public Object moment(Instant instant) {
        OffsetDateTime utc = instant.atOffset(ZoneOffset.UTC);
        return this == MARIADB ? utc.toLocalDateTime() : utc;
    }

    /** A moment of a row. */
    public Optional<Instant> moment(ResultSet row, String column) throws SQLException {
        if (this == MARIADB) {
            return Optional.ofNullable(row.getObject(column, LocalDateTime.class))
                    .map(local -> local.toInstant(ZoneOffset.UTC));
        }
        return Optional.ofNullable(row.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }
}
