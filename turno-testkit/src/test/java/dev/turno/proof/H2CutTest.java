package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import dev.turno.PatientSource;
import dev.turno.Turno;
import dev.turno.claim.Result;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.worker.FinishMode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.api.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a {@code kill -9} leaves of an embedded H2, at each write to its file: the file is opened as it was after the first, the second, ... */
class H2CutTest {

    private static final int ROUNDS = Scale.of(1, 25);
    private static final int WRITES = 400;
    private static final int PUTTERS = 6;

    /** One of four hundred was seen. */
    private static final int ONE_OF_SO_MANY = 20;

    /** Without them it is no database yet, or one without tables. */
    private static final String LATEST_TABLE = "EFFECT";

    @TempDir
    private Path directory = Path.of("");

    private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();

    @Test
    void wherever_the_file_is_cut_off_what_was_acknowledged_is_there_but_for_the_few_times_that_h2_stored_a_half()
            throws Exception {
        Cuts cuts = new Cuts();

        for (int round = 0; round < ROUNDS; round++) {
            acknowledged.clear();
            RecordedFile.register();
            workOn(directory.resolve("round" + round));
            openAtEachWrite(directory.resolve("cut" + round), cuts);
        }

        Figures.say("h2-cut", TestDatabase.H2, cuts.toString());
        assertThat(cuts.opened).isGreaterThan(ROUNDS * WRITES / 2);
        assertThat((cuts.lost.size() + cuts.halves) * ONE_OF_SO_MANY).isLessThan(cuts.opened);
    }

    /** Messages are put by several threads, and handled by several in the transaction of their effect. */
    private void workOn(Path file) throws Exception {
        String url = "jdbc:h2:recorded:" + file + ";WRITE_DELAY=0";
        HikariConfig config = FreshDatabase.poolOf(url, "sa", "");
        config.setMaximumPoolSize(20);
        config.setDataSource(new PatientSource(new DriverDataSource(url, null, new Properties(), "sa", "")));
        try (HikariDataSource pool = new HikariDataSource(config)) {
            try (Turno turno = Turno.start(pool)) {
                execute(pool, "create table effect (message varchar(50))");
                int begin = RecordedFile.count();
                Inbox inbox = turno.inbox(
                        "orders",
                        InboxOptions.of(o ->
                                o.threads(6).finish(FinishMode.IN_TRANSACTION).maxRun(Duration.ofSeconds(20))));
                turno.handle(inbox, (message, turn) -> {
                    try (Connection connection = pool.getConnection()) {
                        connection.setAutoCommit(false);
                        write(connection, message.id());
                        turn.commit(connection);
                    }
                    return Result.done();
                });
                putUntil(inbox, begin + WRITES);
            }
            execute(pool, "shutdown immediately");
        }
    }

    private void putUntil(Inbox inbox, int writes) throws InterruptedException {
        AtomicInteger number = new AtomicInteger();
        List<Thread> putters = new ArrayList<>();
        for (int i = 0; i < PUTTERS; i++) {
            Thread putter = new Thread(() -> {
                while (RecordedFile.count() < writes) {
                    String id = "m" + number.incrementAndGet();
                    inbox.put(id, "{}");
                    acknowledged.put(id, RecordedFile.count());
                }
            });
            putters.add(putter);
            putter.start();
        }
        for (Thread putter : putters) {
            putter.join();
        }
    }

    private static void write(Connection connection, String id) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into effect values (?)")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
    }

    private void openAtEachWrite(Path folder, Cuts cuts) throws IOException, SQLException {
        Files.createDirectories(folder);
        Path whole = folder.resolve("whole");
        Path opened = folder.resolve("cut.mv.db");
        List<RecordedFile.Write> writes = RecordedFile.writes();
        try (FileChannel file = FileChannel.open(whole, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int n = 1; n <= writes.size(); n++) {
                writes.get(n - 1).repeatOn(file);
                Files.copy(whole, opened, StandardCopyOption.REPLACE_EXISTING);
                try (Connection connection = DriverManager.getConnection("jdbc:h2:" + folder.resolve("cut"), "sa", "");
                        Statement statement = connection.createStatement()) {
                    look(statement, n, cuts);
                    statement.execute("shutdown immediately");
                } catch (SQLException e) {
                    if (e.getErrorCode() != ErrorCode.DATABASE_IS_CLOSED) {
                        throw e;
                    }
                }
            }
        }
    }

    private void look(Statement statement, int writes, Cuts cuts) throws SQLException {
        try (ResultSet row = statement.executeQuery(
                "select 1 from information_schema.tables where table_name = '" + LATEST_TABLE + "'")) {
            if (!row.next()) {
                return;
            }
        }
        cuts.opened++;
        Set<String> there = names(statement, "select message_id from turno_inbox");
        acknowledged.forEach((id, stood) -> {
            if (stood <= writes && !there.contains(id)) {
                cuts.lost.add(id + " after " + writes + " writes, acknowledged after " + stood);
            }
        });
        Set<String> done = names(statement, "select message_id from turno_inbox where state = 'DONE'");
        cuts.halves += done.equals(names(statement, "select message from effect")) ? 0 : 1;
    }

    private static Set<String> names(Statement statement, String query) throws SQLException {
        Set<String> names = new HashSet<>();
        try (ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                names.add(row.getString(1));
            }
        }
        return names;
    }

    private static void execute(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            if (!sql.startsWith("shutdown")) {
                throw e;
            }
        }
    }

    private static final class Cuts {

        private final List<String> lost = new ArrayList<>();
        private int opened;
        private int halves;

        @Override
        public String toString() {
            return "opened after " + opened + " writes, acknowledged and gone " + lost.size()
                    + ", with the half of a transaction " + halves;
        }
    }
}
