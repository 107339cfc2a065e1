package dev.turno.testkit.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TestDatabaseTest {

    @Test
    void a_property_chooses_the_databases() {
        assertThat(TestDatabase.chosenBy("h2, PostgreSQL"))
                .containsExactlyInAnyOrder(TestDatabase.H2, TestDatabase.POSTGRESQL);
    }

    @Test
    void without_a_choice_it_is_all_of_them() {
        assertThat(TestDatabase.chosenBy("")).containsExactlyInAnyOrder(TestDatabase.values());
    }

    @Test
    void a_misspelt_choice_is_told_what_to_write() {
        assertThatThrownBy(() -> TestDatabase.chosenBy("h2,oracle"))
                .hasMessageContaining("'oracle'")
                .hasMessageContaining("[h2, postgresql, mariadb]");
    }
}
