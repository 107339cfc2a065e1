package dev.turno.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

@OnEveryDatabase
@Timeout(60)
class TargetTableTest {

    private static final int SERVERS = 8;
    private static final int ROUNDS = 10;

    private final FreshDatabase database;
    private final CyclicBarrier start = new CyclicBarrier(SERVERS);

    TargetTableTest(FreshDatabase database) {
        this.database = database;
    }

    /** "If not exists" is not enough: on PostgreSQL two that create a table at once are one who does, and one who fails. */
    @Test
    void servers_that_start_at_the_same_moment_on_an_empty_database_all_find_the_table() {
        TargetTable table = new TargetTable(database.dataSource(), "default", new Seal(Optional.empty()));
        ExecutorService servers = Executors.newFixedThreadPool(SERVERS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                JdbcClient.create(database.dataSource())
                        .sql("drop table if exists turno_target")
                        .update();

                CompletableFuture<?>[] all = IntStream.range(0, SERVERS)
                        .mapToObj(i -> CompletableFuture.runAsync(() -> startWithTheOthers(table), servers))
                        .toArray(CompletableFuture<?>[]::new);

                CompletableFuture.allOf(all).join();
                assertThat(table.list()).isEmpty();
            }
        } finally {
            servers.shutdownNow();
        }
    }

    private void startWithTheOthers(TargetTable table) {
        try {
            start.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        table.migrate();
    }
}
