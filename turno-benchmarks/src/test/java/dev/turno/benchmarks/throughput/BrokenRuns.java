package dev.turno.benchmarks.throughput;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.runners.Sql;
import dev.turno.benchmarks.server.Server;
import dev.turno.claim.Result;
import dev.turno.inbox.Inbox;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A benchmark whose runner does something wrong to one of its messages. */
public final class BrokenRuns {

    private static final Sizes SIZES = new Sizes(1, 20, 20, 20, 0);

    /** What is wrong. */
    public enum Fault {
        /** So that the checks do not only fail. */
        NONE,
        LOSES_ONE,
        RUNS_ONE_TWICE,
        FORGETS_ONE_IN_THE_DATABASE
    }

    private BrokenRuns() {}

    public static Report run(Setup setup, Fault fault) throws Exception {
        try (Server server = Server.start(setup.database())) {
            Race race = new Race(server, setup, "broken", SIZES, List.of(new Broken(fault)));
            race.run(1);
            return new Report("broken", List.of(), race.rates(), Map.of(), List.of(), race.violations());
        }
    }

    /** Turno, and a runner around it that is wrong about message seven. */
    private record Broken(Fault fault) implements Contestant {

        private static final String SEVEN = Tally.name(7);

        @Override
        public String who() {
            return "turno, broken";
        }

        @Override
        public void fill(FreshDatabase database, int waiting) throws SQLException {
            InboxRows.fill(database, waiting);
        }

        @Override
        public Pass handle(FreshDatabase database, int waiting, int wanted) throws Exception {
            Tally tally = new Tally(waiting);
            try (HikariDataSource pool = database.newPool(database.url(), 4)) {
                long started = System.nanoTime();
                try (Turno turno = Turno.start(pool)) {
                    Inbox inbox = turno.inbox(InboxRows.INBOX);
                    turno.handle(inbox, (message, turn) -> {
                        count(tally, message.id());
                        return Result.done();
                    });
                    awaitAll(inbox);
                }
                if (fault == Fault.FORGETS_ONE_IN_THE_DATABASE) {
                    Sql.execute(pool, "update turno_inbox set state = 'PENDING' where message_id = '" + SEVEN + "'");
                }
                double seconds = (System.nanoTime() - started) / 1e9;
                return new Pass(waiting, seconds, InboxRows.violations(who(), pool, tally, waiting, true));
            }
        }

        private void count(Tally tally, String id) {
            boolean seven = id.equals(SEVEN);
            if (!seven || fault != Fault.LOSES_ONE) {
                tally.ran(id);
            }
            if (seven && fault == Fault.RUNS_ONE_TWICE) {
                tally.ran(id);
            }
        }

        private static void awaitAll(Inbox inbox) {
            while (inbox.counts().pending() + inbox.counts().doing() > 0) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}
