package dev.turno.benchmarks.growth;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.benchmarks.runners.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** An inbox with so many rows, written without Turno: a million of them in half a minute. */
final class Rows {

    static final String INBOX = "bench";

    private Rows() {}

    static void fill(DataSource source, int waiting, int finished) throws SQLException {
        try (Turno turno = Turno.open(source, TurnoOptions.defaults())) {
            turno.inbox(INBOX);
        }
        insert(source, finished, "DONE");
        insert(source, waiting, "PENDING");
        execute(source, "vacuum analyze turno_inbox");
    }

    private static void insert(DataSource source, int count, String state) throws SQLException {
        try (Connection connection = Sql.patient(source);
                PreparedStatement insert = connection.prepareStatement("""
                        insert into turno_inbox (inbox_id, message_id, class, state, end_state, turn_at, fence, attempt, put_at,
                                                 finished_at, body)
                        select s.id, lower(r.state) || '-' || n, 4, r.state,
                               case when r.state <> 'PENDING' then r.state end,
                               case when r.state = 'PENDING' then now() - interval '1 hour' + n * interval '1 millisecond' end,
                               case when r.state = 'PENDING' then 0 else 1 end,
                               case when r.state = 'PENDING' then 0 else 1 end,
                               now() - interval '1 hour',
                               case when r.state <> 'PENDING' then now() - interval '1 hour' + n * interval '1 millisecond' end,
                               '{"order":' || n || '}'
                          from turno_inbox_setting s, (select cast(? as text) as state) r, generate_series(1, ?) n
                         where s.inbox = ?""")) {
            insert.setString(1, state);
            insert.setInt(2, count);
            insert.setString(3, INBOX);
            insert.executeUpdate();
        }
    }

    static void execute(DataSource source, String sql, Object... values) throws SQLException {
        try (Connection connection = Sql.patient(source);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.execute();
        }
    }

    static long dead(DataSource source) throws SQLException {
        return Sql.number(source, "select n_dead_tup from pg_stat_user_tables where relname = 'turno_inbox'");
    }

    /** Every row is where it should be: what was handled is finished once, all else waits. */
    static boolean areWhole(DataSource source, long waiting, long finishedBefore, long handled) throws SQLException {
        long done = Sql.number(source, "select count(*) from turno_inbox where state = 'DONE' and turn_at is null");
        long doing = Sql.number(source, "select count(*) from turno_inbox where state not in ('DONE', 'PENDING')");
        long pending = Sql.number(source, "select count(*) from turno_inbox where state = 'PENDING'");
        return done == finishedBefore + handled && doing == 0 && pending >= waiting - handled;
    }
}
