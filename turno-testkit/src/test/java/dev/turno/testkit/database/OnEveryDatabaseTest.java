package dev.turno.testkit.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
class OnEveryDatabaseTest {

    private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    private final FreshDatabase database;

    OnEveryDatabaseTest(FreshDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void every_test_has_a_database_of_its_own() {
        assertThat(SEEN.add(database.url())).isTrue();
    }

    @AfterAll
    static void three_tests_ran_on_each_database() {
        assertThat(SEEN).hasSize(3 * TestDatabase.chosen().size());
    }

    @Test
    void constructor_and_method_get_the_same(FreshDatabase here) {
        assertThat(here).isSameAs(database);
    }

    @Test
    void the_kind_is_told_too(TestDatabase kind) {
        assertThat(kind).isEqualTo(database.kind());
    }

    @Nested
    class Inside {

        private final FreshDatabase inner;

        Inside(FreshDatabase inner) {
            this.inner = inner;
        }

        @Test
        void a_nested_class_shares_the_database_of_the_class_around_it() {
            assertThat(inner).isSameAs(database);
        }
    }
}
