package dev.turno.run;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** What comes after a key, a page at a time, each on a connection that is given back at once. */
record KeysetQuery<I>(DataSource source, String sql, String key, Source.RowMapper<I> mapper, Optional<Long> first)
        implements Source.PageFetch<I> {

    @Override
    public Optional<Page<I>> after(Optional<String> cursor, int size) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, cursor);
            statement.setInt(2, size);
            statement.setFetchSize(size);
            try (ResultSet row = statement.executeQuery()) {
                return page(row, cursor, size);
            }
        }
    }

    private void bind(PreparedStatement statement, Optional<String> cursor) throws SQLException {
        if (first.isPresent()) {
            statement.setLong(1, cursor.map(Long::parseLong).orElse(first.get()));
        } else {
            statement.setString(1, cursor.orElse(""));
        }
    }

    private Optional<Page<I>> page(ResultSet row, Optional<String> cursor, int size) throws SQLException {
        List<I> items = new ArrayList<>(size);
        String last = first.isPresent() ? numbered(row, cursor, items) : lettered(row, cursor, items);
        return items.isEmpty() ? Optional.empty() : Optional.of(new Page<>(items, last));
    }

    private String numbered(ResultSet row, Optional<String> cursor, List<I> items) throws SQLException {
        int column = row.findColumn(key);
        long last = cursor.map(Long::parseLong).orElse(Long.MIN_VALUE);
        while (row.next()) {
            long current = row.getLong(column);
            refuseDisorder(current > last || (cursor.isEmpty() && items.isEmpty()), last, current);
            items.add(mapper.map(row));
            last = current;
        }
        return Long.toString(last);
    }

    /** How texts are ordered only the database knows. */
    private String lettered(ResultSet row, Optional<String> cursor, List<I> items) throws SQLException {
        int column = row.findColumn(key);
        String last = cursor.orElse("");
        while (row.next()) {
            String current = row.getString(column);
            refuseDisorder(!current.equals(last), last, current);
            items.add(mapper.map(row));
            last = current;
        }
        return last;
    }

    /** A query in another order would pass over items for good, silently; one that gives the cursor's own item, do it again. */
    private void refuseDisorder(boolean isBehind, Object last, Object current) {
        if (!isBehind) {
            throw new IllegalStateException("The query gave the key " + current + " after " + last
                    + ". It must be ordered by '" + key + "', which must be unique; write \"where " + key
                    + " > ? order by " + key + " limit ?\".");
        }
    }
}
