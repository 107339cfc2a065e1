package dev.turno.benchmarks.runners;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.claim.Result;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.NewMessage;
import dev.turno.testkit.database.TestDatabase;
import java.sql.SQLException;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** The default options. */
record TurnoRunner(String who, boolean keep) implements Runner {

    private static final String INBOX = "bench";

    @Override
    public String settings() {
        return who + ": default options";
    }

    @Override
    public void create(HikariDataSource pool, TestDatabase kind) {
        try (Turno turno = Turno.open(pool, TurnoOptions.defaults())) {
            turno.inbox(INBOX);
        }
    }

    @Override
    public Node open(HikariDataSource pool, TestDatabase kind) {
        Turno turno = Turno.start(pool);
        Inbox inbox =
                turno.inbox(INBOX, keep ? InboxOptions.defaults() : InboxOptions.of(choices -> choices.keepNone()));
        return new Node() {
            @Override
            public void put(int number) {
                inbox.put(message(number));
            }

            @Override
            public void putAll(int from, int to) {
                inbox.putAll(
                        IntStream.range(from, to).mapToObj(TurnoRunner::message).toList());
            }

            @Override
            public void start(IntConsumer ran) {
                turno.handle(inbox, (message, turn) -> {
                    ran.accept(Integer.parseInt(message.id()));
                    return Result.done();
                });
            }

            @Override
            public long left() throws SQLException {
                return Sql.number(pool, "select count(*) from turno_inbox where state <> 'DONE'");
            }

            @Override
            public void close() {
                turno.close();
            }
        };
    }

    static NewMessage message(int number) {
        return NewMessage.of(Integer.toString(number), body(number));
    }

    static String body(int number) {
        return "{\"order\":" + number + ",\"customer\":\"c-42\",\"cents\":1999}";
    }
}
