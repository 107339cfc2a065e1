package dev.turno.testkit.database;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RunningServerTest {

    @Test
    void a_running_server_is_not_restarted_by_mistake() {
        try (RestartableServer server = TestDatabase.H2.newServer()) {
            assertThatThrownBy(server::restart).hasMessageContaining("kill9() or shutDown()");
        }
    }
}
