package dev.turno.testkit.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.testkit.process.ChildProcess;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@OnEveryDatabase(onServer = true)
class OnServerTest {

    private final FreshDatabase database;

    OnServerTest(FreshDatabase database) {
        this.database = database;
    }

    @Test
    void another_process_reaches_the_same_database() throws SQLException {
        Sql.execute(database.dataSource(), "create table t (id int)", "insert into t values (41), (1)");

        try (var child = ChildProcess.start(SummingChild.class, database.url(), database.user(), database.password())) {
            child.awaitLine("sum 42"::equals, Duration.ofSeconds(60));
        }
    }

    @Test
    void the_servers_flush_at_every_commit() throws SQLException {
        String question = switch (database.kind()) {
            case H2 -> "select setting_value from information_schema.settings where setting_name = 'WRITE_DELAY'";
            case POSTGRESQL -> "select current_setting('fsync') || current_setting('synchronous_commit')";
            case MARIADB -> "select @@innodb_flush_log_at_trx_commit";
        };
        String flushing = switch (database.kind()) {
            case H2 -> "0";
            case POSTGRESQL -> "onon";
            case MARIADB -> "1";
        };

        assertThat(Sql.ask(database.dataSource(), question)).isEqualTo(flushing);
    }

    @Test
    void a_database_in_the_memory_of_this_jvm_has_no_port() {
        try (FreshDatabase inMemory = TestDatabase.H2.fresh()) {
            assertThatThrownBy(inMemory::port).hasMessageContaining("freshOnServer()");
        }
    }
}
