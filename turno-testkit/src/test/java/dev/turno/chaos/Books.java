package dev.turno.chaos;

import dev.turno.testkit.database.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import javax.sql.DataSource;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * What happened, written down without the product: effects of handlers, in the order in which they were written, in a table without a key;
 * and by triggers of the database what it accepted as done, under whose name, what was taken over from somebody, and what was taken by
 * somebody who had been declared dead.
 */
final class Books {

    /**
     * One effect.
     *
     * @param turn key and fence, to recognise what the product said about this very turn; nobody's identity
     */
    record Effect(long seq, String item, String node, String turn, Instant at) {}

    /** A write of DONE, while the row was in the hands of {@code node}. */
    record Accepted(String node, Instant at) {}

    /** Of the last tens of thousands, by number: those of a killed H2 may begin a little earlier again. */
    static final String LATEST = "select workload, node, max(at_time) from chaos_effect"
            + " where seq > (select max(seq) from chaos_effect) - 30000 group by workload, node";

    private final DataSource source;
    private final String order;
    private final Map<String, List<Accepted>> accepted = new HashMap<>();
    private final Map<String, List<Effect>> effects = new HashMap<>();
    private final Set<String> refused = new HashSet<>();

    /** @param order a killed H2 may give away numbers later that it had left out before, and its moments are those of transactions */
    private Books(DataSource source, String order) {
        this.source = source;
        this.order = order;
    }

    static void create(DataSource source, TestDatabase kind) throws SQLException {
        String moment = switch (kind) {
            case H2 -> "timestamp(6) with time zone default current_timestamp(6)";
            case POSTGRESQL -> "timestamptz default clock_timestamp()";
            case MARIADB -> "datetime(6) default utc_timestamp(6)";
        };
        // By itself H2 stores how far the numbers have come every 32 of them, in the line of all commits: a page of 100
        // effects waited there three or four times while its transaction was open.
        String number = switch (kind) {
            case H2 -> "bigint generated always as identity (cache 10000) primary key";
            case POSTGRESQL -> "bigint generated always as identity primary key";
            case MARIADB -> "bigint auto_increment primary key";
        };
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table chaos_effect (seq " + number
                    + ", workload varchar(20), item varchar(200), node varchar(60), turn varchar(300), at_time "
                    + moment + ")");
            statement.execute(
                    "create table chaos_accepted (item varchar(200), node varchar(200), at_time " + moment + ")");
            statement.execute("create table chaos_takeover (item varchar(200), at_time " + moment + ")");
            statement.execute("create table chaos_dead_take (item varchar(200))");
            for (String name : kind == TestDatabase.MARIADB ? NAMES_IN_MARIADB : List.<String>of()) {
                statement.execute(name);
            }
            for (String trigger : triggers(kind)) {
                statement.execute(trigger);
            }
        }
    }

    private static final List<String> NAMES_IN_MARIADB = List.of(
            "create table chaos_holder (id bigint primary key, node varchar(200))",
            "insert into chaos_holder select id, node from turno_holder",
            "create trigger chaos_names after insert on turno_holder for each row"
                    + " insert into chaos_holder (id, node) values (new.id, new.node)");

    private static List<String> triggers(TestDatabase kind) {
        String text = switch (kind) {
            case H2 -> H2;
            case POSTGRESQL -> POSTGRESQL;
            case MARIADB -> MARIADB;
        };
        return List.of(
                text.replace("$table", "turno_inbox").replace("$item", "message_id"),
                text.replace("$table", "turno_task").replace("$item", "task_key"));
    }

    // A moment later, because the reaping and the taking may pass each other. Here alone a row may be inserted as taken
    // already.
    private static final String POSTGRESQL = """
            create function chaos_$table() returns trigger language plpgsql as $$ begin
                if new.state = 'DONE' then
                    insert into chaos_accepted (item, node)
                    values (new.$item, (select h.node from turno_holder h where h.id = old.holder));
                elsif tg_op = 'INSERT' or new.fence <> old.fence or old.state <> 'DOING' then
                    if tg_op = 'UPDATE' and old.state = 'DOING' and new.holder <> old.holder then
                        insert into chaos_takeover (item) values (new.$item);
                    end if;
                    insert into chaos_dead_take
                    select new.$item from turno_holder h where h.id = new.holder
                       and h.reaped_at < statement_timestamp() - interval '1500 milliseconds';
                end if;
                return null;
            end $$;
            create trigger chaos_$table after insert or update on $table
                for each row when (new.state in ('DONE', 'DOING')) execute function chaos_$table()""";

    // An insert locks what it selects, until the handler's transaction ends: a frozen one would keep others from
    // declaring it dead.
    private static final String MARIADB = """
            create trigger chaos_$table after update on $table for each row
                if new.state = 'DONE' then
                    insert into chaos_accepted (item, node)
                    values (new.$item, (select h.node from chaos_holder h where h.id = old.holder));
                elseif new.state = 'DOING' and (new.fence <> old.fence or old.state <> 'DOING') then
                    if old.state = 'DOING' and new.holder <> old.holder then
                        insert into chaos_takeover (item) values (new.$item);
                    end if;
                    insert into chaos_dead_take
                    select new.$item from turno_holder h where h.id = new.holder
                       and h.reaped_at < utc_timestamp(6) - interval 1500000 microsecond;
                end if""";

    private static final String H2 =
            "create trigger chaos_$table after update on $table for each row call \"" + InH2.class.getName() + "\"";

    static void write(Connection connection, String workload, String item, String node, String turn)
            throws SQLException {
        try (PreparedStatement insert = insert(connection)) {
            bind(insert, workload, item, node, turn);
            insert.executeUpdate();
        }
    }

    static PreparedStatement insert(Connection connection) throws SQLException {
        return connection.prepareStatement("insert into chaos_effect (workload, item, node, turn) values (?, ?, ?, ?)");
    }

    static void bind(PreparedStatement insert, String workload, String item, String node, String turn)
            throws SQLException {
        insert.setString(1, workload);
        insert.setString(2, item);
        insert.setString(3, node);
        insert.setString(4, turn);
    }

    /** A killed H2 may give away numbers of effects again. Nobody is to blame; the next try gets the next number. */
    static boolean isNumberUsed(SQLException e) {
        return "23505".equals(e.getSQLState());
    }

    /** @param refused what the product called lost, as key and fence */
    static Books read(DataSource source, TestDatabase kind, List<String> refused) throws SQLException {
        Books books = new Books(source, kind == TestDatabase.H2 ? "at_time, seq" : "seq");
        books.refused.addAll(refused);
        books.rows(
                "select item, node, at_time from chaos_accepted",
                row -> books.accepted
                        .computeIfAbsent(row.getString(1), any -> new ArrayList<>())
                        .add(new Accepted(String.valueOf(row.getString(2)), instant(row, 3))));
        return books;
    }

    interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    void rows(String query, RowReader reader) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                reader.read(row);
            }
        }
    }

    /** When each item was taken over from somebody who had it in hand. */
    Map<String, List<Instant>> takeovers() throws SQLException {
        Map<String, List<Instant>> takeovers = new HashMap<>();
        rows(
                "select item, at_time from chaos_takeover",
                row -> takeovers
                        .computeIfAbsent(row.getString(1), any -> new ArrayList<>())
                        .add(instant(row, 2)));
        return takeovers;
    }

    /** In the order in which they were written. Read once: there are hundreds of thousands. */
    List<Effect> effects(String workload) throws SQLException {
        List<Effect> known = effects.get(workload);
        if (known != null) {
            return known;
        }
        List<Effect> read = new ArrayList<>();
        rows(
                "select seq, item, node, turn, at_time from chaos_effect where workload = '" + workload + "' order by "
                        + order,
                row -> read.add(new Effect(
                        row.getLong(1), row.getString(2), row.getString(3), row.getString(4), instant(row, 5))));
        effects.put(workload, read);
        return read;
    }

    /** MariaDB's have no zone, and are UTC. */
    static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getTimestamp(column, Calendar.getInstance(TimeZone.getTimeZone("UTC")))
                .toInstant();
    }

    List<Accepted> accepted(String item) {
        return accepted.getOrDefault(item, List.of());
    }

    /** Whether the product said of this turn, whose effect stands, that it was lost. */
    boolean isCalledLost(Effect effect) {
        return refused.contains(effect.turn());
    }

    long number(String query) throws SQLException {
        long[] number = new long[1];
        rows(query, row -> number[0] = row.getLong(1));
        return number[0];
    }

    /** Loaded by H2's server, which has this class path. */
    public static final class InH2 implements Trigger {

        private static final long A_MOMENT_MS = 1_500;

        private int state;
        private int item;
        private int fence;
        private int holder;

        public InH2() {}

        @Override
        public void init(Connection connection, String schema, String trigger, String table, boolean before, int type)
                throws SQLException {
            state = position(connection, schema, table, "STATE");
            fence = position(connection, schema, table, "FENCE");
            holder = position(connection, schema, table, "HOLDER");
            item = position(connection, schema, table, table.equals("TURNO_TASK") ? "TASK_KEY" : "MESSAGE_ID");
        }

        private static int position(Connection connection, String schema, String table, String column)
                throws SQLException {
            try (ResultSet row = connection.getMetaData().getColumns(null, schema, table, column)) {
                row.next();
                return row.getInt("ORDINAL_POSITION") - 1;
            }
        }

        @Override
        public void fire(
                Connection connection, @Nullable Object @Nullable [] before, @Nullable Object @Nullable [] after)
                throws SQLException {
            if (before == null || after == null) {
                return;
            }
            if ("DONE".equals(after[state])) {
                accept(connection, after[item], before[holder]);
            } else if ("DOING".equals(after[state])
                    && (isOther(before[fence], after[fence]) || !"DOING".equals(before[state]))) {
                if ("DOING".equals(before[state]) && isOther(before[holder], after[holder])) {
                    note(
                            connection,
                            "insert into chaos_takeover (item) select ? from turno_holder where id = ?",
                            after[item],
                            after[holder]);
                }
                note(
                        connection,
                        "insert into chaos_dead_take select ? from turno_holder where id = ? and reaped_at < dateadd(millisecond, -"
                                + A_MOMENT_MS + ", current_timestamp(6))",
                        after[item],
                        after[holder]);
            }
        }

        private static boolean isOther(@Nullable Object before, @Nullable Object after) {
            return !String.valueOf(before).equals(String.valueOf(after));
        }

        /** H2's clock stands still in a transaction: by itself this would be the moment of the effect in it. */
        private static void accept(Connection connection, @Nullable Object item, @Nullable Object holder)
                throws SQLException {
            try (PreparedStatement insert = connection.prepareStatement(
                    "insert into chaos_accepted (item, node, at_time) values (?, (select node from turno_holder where id = ?), ?)")) {
                insert.setString(1, String.valueOf(item));
                insert.setObject(2, holder);
                insert.setObject(3, OffsetDateTime.now(ZoneOffset.UTC));
                insert.executeUpdate();
            }
        }

        private static void note(Connection connection, String sql, @Nullable Object item, @Nullable Object holder)
                throws SQLException {
            try (PreparedStatement insert = connection.prepareStatement(sql)) {
                insert.setString(1, String.valueOf(item));
                insert.setObject(2, holder);
                insert.executeUpdate();
            }
        }
    }
}
