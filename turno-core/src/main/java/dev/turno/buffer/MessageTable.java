package dev.turno.buffer;

import dev.turno.sql.Columns;
import dev.turno.sql.Database;
import dev.turno.sql.Row;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the messages of bursts. */
final class MessageTable {

    /** @param youngest how long ago the newest of them was added */
    record Loaded(List<BurstMessage> messages, Duration youngest) {

        static final Loaded NOTHING = new Loaded(List.of(), Duration.ofDays(36_500));

        private Loaded with(Row row) throws SQLException {
            List<BurstMessage> all = messages.isEmpty() ? new ArrayList<>() : messages;
            all.add(message(row));
            Duration age = row.duration("age_us");
            return new Loaded(all, age.compareTo(youngest) < 0 ? age : youngest);
        }
    }

    private final Database database;

    MessageTable(Database database) {
        this.database = database;
        database.statements().require("buffer.messages");
    }

    /** By the number of the key's row. */
    Map<Long, Loaded> load(String ifItFails, List<Range> ranges) {
        return database.once(ifItFails, session -> {
            Map<Long, Loaded> loaded = new HashMap<>();
            session.sql("buffer.messages")
                    .setRows(Columns.<Range>of("v", ranges)
                            .longs("id", Range::header)
                            .longs("from", Range::from)
                            .longs("to", Range::to))
                    .list(row -> {
                        Loaded before = loaded.getOrDefault(row.longValue("header_id"), Loaded.NOTHING);
                        return loaded.put(row.longValue("header_id"), before.with(row));
                    });
            return loaded;
        });
    }

    private static BurstMessage message(Row row) throws SQLException {
        return new BurstMessage(
                row.longValue("seq"),
                row.optionalText("message_id"),
                row.text("type"),
                row.text("body"),
                row.optionalInstant("sent_at"),
                row.instant("added_at"));
    }
}
