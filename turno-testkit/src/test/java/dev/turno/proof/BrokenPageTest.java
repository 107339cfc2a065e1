package dev.turno.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.run.Job;
import dev.turno.run.PageTurn;
import dev.turno.run.RunOptions;
import dev.turno.run.RunRequest;
import dev.turno.run.RunState;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TcpProxy;
import dev.turno.worker.Backoff;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A connection that breaks while a page is being written. */
@OnEveryDatabase(onServer = true)
class BrokenPageTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int ITEMS = 30;

    private final FreshDatabase database;

    BrokenPageTest(FreshDatabase database) {
        this.database = database;
    }

    /** Without a word about the connection the item would be blamed, and the run would be DEAD without any effect. */
    @Test
    void no_item_is_blamed_for_a_connection_that_broke_whatever_the_driver_says() throws Exception {
        try (TcpProxy way = TcpProxy.to(database.port());
                HikariDataSource pool = database.newPool(database.urlThrough(way.port()), 10);
                Turno turno = Turno.start(pool)) {
            execute(pool, "create table done_item (id integer)");
            AtomicBoolean broken = new AtomicBoolean();
            Runs runs = turno.runs(
                    RunOptions.of(o -> o.backoff(Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(1)))));
            runs.add(Job.of(
                    "copy",
                    Source.iterator(run -> IntStream.range(0, ITEMS).iterator()),
                    (items, page) -> {
                        if (broken.compareAndSet(false, true)) {
                            breakIt(way, page);
                        }
                        insert(page.connection(), items);
                    },
                    choices -> choices.pageSize(10)));
            turno.work(runs);

            long run = runs.submit(RunRequest.of("copy")).orThrow();

            await().atMost(SOON)
                    .ignoreExceptionsInstanceOf(DatabaseAwayException.class) // the way was broken for this look, too
                    .until(() -> runs.find(run).orElseThrow().state(), state -> state == RunState.DONE);
            assertThat(count(database.dataSource())).isEqualTo(ITEMS);
        }
    }

    /** The page's own code passes over the first error, which was plain; what comes next says only that something is closed. */
    private static void breakIt(TcpProxy way, PageTurn page) {
        way.reset();
        try {
            insert(page.connection(), List.of(-1));
        } catch (SQLException passedOver) {
            way.pass();
        }
    }

    private static void insert(Connection connection, List<Integer> items) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into done_item values (?)")) {
            for (int item : items) {
                insert.setInt(1, item);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static void execute(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int count(DataSource source) throws SQLException {
        return Rows.number(source, "select count(*) from done_item");
    }
}
