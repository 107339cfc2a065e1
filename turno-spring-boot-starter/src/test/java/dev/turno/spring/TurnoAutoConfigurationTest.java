package dev.turno.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.claim.Result;
import dev.turno.lock.Locks;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class TurnoAutoConfigurationTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, TurnoAutoConfiguration.class))
            .withPropertyValues("spring.datasource.generate-unique-name=true", "turno.node=here");

    @Test
    void an_application_has_a_running_turno() {
        TurnoWork orders = turno -> turno.handle("orders", (message, turn) -> Result.done());

        application.withBean(TurnoWork.class, () -> orders).run(context -> {
            Turno turno = context.getBean(Turno.class);
            turno.inbox("orders").put("order-1", "{}");

            await().until(() -> turno.inbox("orders").counts().done() == 1);
            assertThat(turno.holders()).singleElement().satisfies(holder -> assertThat(holder.node())
                    .isEqualTo("here"));
            assertThat(context).hasSingleBean(Locks.class);
        });
    }

    @Test
    void it_can_be_switched_off() {
        application.withPropertyValues("turno.enabled=false").run(context -> assertThat(context)
                .doesNotHaveBean(Turno.class));
    }
}
