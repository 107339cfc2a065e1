package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.claim.Result;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.inbox.NewMessage;
import dev.turno.inbox.PutOutcome;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An embedded H2 in a file, whose only process is killed. */
@Tag("processes")
@OnDatabase(TestDatabase.H2)
class H2FileTest {

    private static final int PUTS = 10_000;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void every_acknowledged_put_is_there_after_the_process_was_killed_in_the_middle() throws SQLException {
        String url = "jdbc:h2:async:" + directory.resolve("kept") + ";WRITE_DELAY=0";

        Set<String> acknowledged = putAndKill(url);
        Set<String> lost = missing(url, acknowledged);

        assertThat(acknowledged).hasSizeBetween(PUTS / 2, PUTS - 1);
        assertThat(lost).isEmpty();
        Figures.say("h2-file", TestDatabase.H2, acknowledged.size() + " puts acknowledged before kill -9, lost 0");
    }

    /** That the check above can fail. How many are lost is a matter of luck, so nothing is asserted of it. */
    @Test
    void without_write_delay_zero_acknowledged_puts_may_be_lost() throws SQLException {
        String url = "jdbc:h2:file:" + directory.resolve("lossy");

        Set<String> acknowledged = putAndKill(url);
        Set<String> lost = missing(url, acknowledged);

        Figures.say(
                "h2-file-default-write-delay",
                TestDatabase.H2,
                acknowledged.size() + " puts acknowledged before kill -9, lost " + lost.size());
    }

    /** With {@code jdbc:h2:file:} the interrupt closes the file under everybody's hands. */
    @Test
    void handlers_that_are_interrupted_while_they_write_do_not_close_the_database() throws SQLException {
        String url = "jdbc:h2:async:" + directory.resolve("interrupted") + ";WRITE_DELAY=0";
        try (HikariDataSource pool = Pools.open(url, "sa", "", 8);
                Turno turno = Turno.start(pool)) {
            execute(pool, "create table effect (id bigint generated always as identity primary key, text varchar)");
            Inbox inbox = turno.inbox(
                    "orders",
                    InboxOptions.of(
                            o -> o.threads(4).maxRun(Duration.ofMillis(300)).maxAttempts(1)));
            inbox.putAll(IntStream.range(0, 20)
                    .mapToObj(n -> NewMessage.of("m" + n, "{}"))
                    .toList());

            turno.handle(inbox, (message, turn) -> {
                while (!turn.isLost()) {
                    execute(pool, "insert into effect (text) values (space(20000))");
                }
                return Result.reject("overran");
            });

            Stage.until(() -> turno.counters().count("turno.overran") == 20);
            assertThat(inbox.put("later", "{}")).isEqualTo(new PutOutcome.Stored());
        }
    }

    private static void execute(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Set<String> putAndKill(String url) {
        try (ChildProcess child =
                ChildProcess.start(ProofNode.class, "url=" + url, "user=sa", "password=", "node=only")) {
            Stage.ready(child).send("put " + Stage.ORDERS + " " + PUTS);
            Stage.until(() -> stored(child).size() >= PUTS / 2);
            child.kill9();
            return stored(child);
        }
    }

    private static Set<String> stored(ChildProcess child) {
        return child.lines().stream()
                .filter(line -> line.startsWith("stored "))
                .map(line -> line.substring("stored ".length()))
                .collect(Collectors.toSet());
    }

    private static Set<String> missing(String url, Set<String> acknowledged) throws SQLException {
        Set<String> missing = new HashSet<>(acknowledged);
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select message_id from turno_inbox")) {
            while (row.next()) {
                missing.remove(row.getString(1));
            }
        }
        return missing;
    }
}
