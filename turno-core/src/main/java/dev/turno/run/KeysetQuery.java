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
                return page(row, size);
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

    private Optional<Page<I>> page(ResultSet row, int size) throws SQLException {
        List<I> items = new ArrayList<>(size);
        int column = row.findColumn(key);
        String last = "";
        long lastNumber = Long.MIN_VALUE;
        while (row.next()) {
            items.add(mapper.map(row));
            if (first.isPresent()) {
                long current = row.getLong(column);
                refuseDisorder(items.size() == 1 || current > lastNumber, lastNumber, current);
                lastNumber = current;
            } else {
                String current = row.getString(column);
                refuseDisorder(!current.equals(last), last, current);
                last = current;
            }
        }
        String cursor = first.isPresent() ? Long.toString(lastNumber) : last;
        return items.isEmpty() ? Optional.empty() : Optional.of(new Page<>(items, cursor));
    }

    /** A query in another order would pass over items for good, silently. */
    private void refuseDisorder(boolean isBehind, Object last, Object current) {
        if (!isBehind) {
            throw new IllegalStateException("The query gave the key " + current + " after " + last
                    + ". It must be ordered by '" + key + "', which must be unique; write \"where " + key
                    + " > ? order by " + key + " limit ?\".");
        }
    }
}
