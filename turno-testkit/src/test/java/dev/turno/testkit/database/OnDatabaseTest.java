package dev.turno.testkit.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class OnDatabaseTest {

    @Test
    @OnDatabase(TestDatabase.POSTGRESQL)
    void a_method_names_its_database(FreshDatabase database) {
        assertThat(database.url()).startsWith("jdbc:postgresql:");
    }

    @Test
    @OnDatabase(value = TestDatabase.H2, onServer = true)
    void a_database_can_be_asked_for_that_other_processes_reach(FreshDatabase database) {
        assertThat(database.url()).startsWith("jdbc:h2:tcp:");
    }

    @Nested
    @OnDatabase(TestDatabase.MARIADB)
    class OnAClass {

        private final FreshDatabase database;

        OnAClass(FreshDatabase database) {
            this.database = database;
        }

        @Test
        void all_its_tests_run_there(TestDatabase kind, FreshDatabase here) {
            assertThat(kind).isEqualTo(TestDatabase.MARIADB);
            assertThat(here).isSameAs(database);
        }
    }
}
