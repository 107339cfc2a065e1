package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.Turno;
import dev.turno.spring.TurnoTemplate;
import dev.turno.spring.test.Settled;
import dev.turno.spring.test.TurnoTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

@TurnoTest(properties = "turno.node=slice")
@ExtendWith(OutputCaptureExtension.class)
class ShopSliceTest {

    @Autowired
    private TurnoTemplate template;

    @Autowired
    private Settled settled;

    @Autowired
    private Turno turno;

    @Autowired
    private ApplicationContext application;

    @Test
    void the_applications_handlers_work(CapturedOutput output) throws InterruptedException {
        template.put("orders", "order-1", new ShopApplication.Order("coffee", 2));
        settled.await(Duration.ofSeconds(30));

        assertThat(output).contains("shipping 2 x coffee");
        assertThat(turno.inbox("orders").counts().done()).isEqualTo(1);
        assertThat(turno.holders()).allMatch(holder -> holder.node().equals("slice"));
    }

    @Test
    void what_is_not_settled_is_named() {
        turno.inbox("nobodys").put("1", "{}");

        assertThatThrownBy(() -> settled.await(Duration.ofMillis(50)))
                .hasMessageContaining("inbox nobodys with 1 PENDING and 0 DOING");
        turno.inbox("nobodys").cancel("1");
    }

    @Test
    void other_components_are_left_out() {
        assertThat(application.getBeansOfType(Unrelated.class)).isEmpty();
        assertThat(application.getBeansOfType(ShopApplication.class)).hasSize(1);
    }
}
