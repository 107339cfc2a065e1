package dev.turno.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class BooksTest {

    private static final String NUMBERS_BETWEEN_STORES =
            "select identity_cache from information_schema.columns where table_name = 'CHAOS_EFFECT' and column_name = 'SEQ'";

    @Test
    @OnDatabase(value = TestDatabase.H2, onServer = true)
    void the_effects_of_many_pages_do_not_wait_for_h2_to_store_their_numbers(FreshDatabase database)
            throws SQLException {
        try (Turno turno = Turno.open(database.dataSource(), TurnoOptions.defaults())) {
            Books.create(database.dataSource(), TestDatabase.H2);
            Books books = Books.read(database.dataSource(), TestDatabase.H2, List.of());

            assertThat(books.number(NUMBERS_BETWEEN_STORES)).isGreaterThan(10L * RunWorkload.PAGE_SIZE);
        }
    }
}
