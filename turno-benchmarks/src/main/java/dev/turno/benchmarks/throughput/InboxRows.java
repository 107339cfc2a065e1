package dev.turno.benchmarks.throughput;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.benchmarks.runners.Sql;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.NewMessage;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** The inbox before and after: filled by Turno for itself and for the bare loop, and checked the same way. */
final class InboxRows {

    static final String INBOX = "bench";
    private static final int AT_ONCE = 10_000;

    private InboxRows() {}

    static void fill(FreshDatabase database, int waiting) throws SQLException {
        try (HikariDataSource pool = database.newPool(database.url(), 2)) {
            try (Turno turno = Turno.open(pool, TurnoOptions.defaults())) {
                Inbox inbox = turno.inbox(INBOX);
                for (int from = 0; from < waiting; from += AT_ONCE) {
                    inbox.putAll(IntStream.range(from, Math.min(waiting, from + AT_ONCE))
                            .mapToObj(InboxRows::message)
                            .toList());
                }
            }
            if (database.kind() == TestDatabase.POSTGRESQL) {
                analyze(pool, "turno_inbox");
            }
        }
    }

    static NewMessage message(int number) {
        return NewMessage.of(Tally.name(number), "{\"order\":" + number + ",\"customer\":\"c-42\",\"cents\":1999}");
    }

    /** Autovacuum would do it within the first minute; nobody's plan should depend on when. */
    static void analyze(DataSource source, String table) throws SQLException {
        Sql.execute(source, "analyze " + table);
    }

    static List<String> violations(String who, DataSource source, Tally tally, int messages, boolean keep)
            throws SQLException {
        List<String> violations = new ArrayList<>(tally.violations(who));
        long open = Sql.number(source, "select count(*) from turno_inbox where state <> 'DONE' or turn_at is not null");
        long done = Sql.number(source, "select count(*) from turno_inbox where state = 'DONE'");
        require(violations, open == 0, who + ": " + open + " messages are not finished in the database");
        long kept = keep ? messages : 0;
        require(violations, done == kept, who + ": " + done + " finished messages are kept instead of " + kept);
        return violations;
    }

    private static void require(List<String> violations, boolean good, String otherwise) {
        if (!good) {
            violations.add(otherwise);
        }
    }
}
