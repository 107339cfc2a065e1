package dev.turno.certification.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.certification.sql.Sql;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
class SharedSettingTest {

    private static final int INSTANCES = 6;

    private final Sql sql;
    private final ExecutorService instances = Executors.newFixedThreadPool(INSTANCES);

    SharedSettingTest(FreshDatabase database) {
        this.sql = new Sql(database.dataSource());
        sql.createTables();
    }

    @AfterEach
    void end() {
        instances.shutdownNow();
    }

    /** On H2 all but one were refused, and did not start. */
    @Test
    void instances_that_start_at_once_agree_on_what_the_first_one_brought() {
        for (int round = 0; round < 20; round++) {
            String name = "setting-" + round;

            List<CompletableFuture<String>> seen = IntStream.range(0, INSTANCES)
                    .mapToObj(
                            i -> CompletableFuture.supplyAsync(() -> SharedSetting.of(sql, name, "of " + i), instances))
                    .toList();

            assertThat(seen.stream().map(CompletableFuture::join).distinct()).hasSize(1);
        }
    }
}
