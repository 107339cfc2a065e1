package dev.turno.sql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Many rows as one parameter. A statement uses {@code :group_column}, an array per column, for {@code unnest}; or
 * {@code :group}, a JSON array of rows, for {@code json_table}. Not shared by threads.
 */
public final class Columns<T> {

    enum Type {
        LONG,
        TEXT
    }

    record Column(Type type, List<@Nullable Object> values) {}

    private final String group;
    private final List<T> items;
    private final Map<String, Column> columns = new LinkedHashMap<>();

    private Columns(String group, Collection<? extends T> items) {
        this.group = group;
        this.items = List.copyOf(items);
    }

    public static <T> Columns<T> of(String group, Collection<? extends T> items) {
        return new Columns<>(group, items);
    }

    public Columns<T> longs(String column, Function<? super T, @Nullable Long> value) {
        return add(column, Type.LONG, value);
    }

    public Columns<T> texts(String column, Function<? super T, @Nullable String> value) {
        return add(column, Type.TEXT, value);
    }

    private Columns<T> add(String column, Type type, Function<? super T, ?> value) {
        List<@Nullable Object> values = new ArrayList<>(items.size());
        items.forEach(item -> values.add(value.apply(item)));
        columns.put(column, new Column(type, values));
        return this;
    }

    String group() {
        return group;
    }

    Map<String, Column> columns() {
        return columns;
    }

    String json() {
        List<List<@Nullable Object>> rows = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            List<@Nullable Object> row = new ArrayList<>(columns.size());
            for (Column column : columns.values()) {
                row.add(column.values().get(i));
            }
            rows.add(row);
        }
        return Json.array(rows);
    }
}
