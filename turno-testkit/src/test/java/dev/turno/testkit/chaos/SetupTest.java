package dev.turno.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.testkit.database.TestDatabase;
import org.junit.jupiter.api.Test;

class SetupTest {

    @Test
    void only_h2_can_be_inside_of_a_process_and_only_of_one() {
        assertThatThrownBy(() -> Chaos.of(TestDatabase.POSTGRESQL, SetupTest.class)
                        .inside()
                        .start())
                .hasMessageContaining("is H2")
                .hasMessageContaining("POSTGRESQL");
        assertThatThrownBy(() -> Chaos.of(TestDatabase.H2, SetupTest.class)
                        .inside()
                        .nodes(3)
                        .start())
                .hasMessageContaining("3 nodes");
    }
}
