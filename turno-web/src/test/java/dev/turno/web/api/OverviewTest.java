package dev.turno.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.Turno;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverviewTest {

    @Test
    void how_many_are_not_looked_at_is_told() {
        try (FreshDatabase database = TestDatabase.H2.fresh();
                Turno turno = Turno.start(database.dataSource())) {
            for (int i = 0; i < 103; i++) {
                turno.inbox("orders-" + i).put("order-1", "{}");
            }

            Overview.Features features = new Overview(turno, List.of()).features();

            assertThat(features.inboxes()).hasSize(100);
            assertThat(features.moreInboxes()).isEqualTo(3);
            assertThat(features.moreBuffers()).isZero();
        }
    }
}
