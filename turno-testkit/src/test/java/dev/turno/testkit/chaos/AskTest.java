package dev.turno.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.inbox.Inbox;
import dev.turno.testkit.database.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class AskTest {

    public static void main(String[] words) {
        ChaosNode node = ChaosNode.start(words);
        Inbox orders = node.turno().inbox("orders");
        node.answer("order", n -> orders.put("order-" + n, "{}"));
        node.answer("mistake", n -> {
            throw new IllegalArgumentException("number " + n + " is no good\nat all");
        });
        node.answer("death", n -> Runtime.getRuntime().halt(9));
        node.ready();
    }

    private static Chaos start() {
        Chaos chaos = Chaos.of(TestDatabase.H2, AskTest.class).inside().start();
        chaos.startNodes();
        return chaos;
    }

    @Test
    void what_a_process_is_asked_for_is_done_when_it_has_answered() throws Exception {
        try (Chaos chaos = start()) {
            chaos.ask("order", 7);

            assertThat(chaos.turno().inbox("orders").find("order-7")).isPresent();
        }
    }

    @Test
    void a_process_that_fails_or_does_not_know_what_to_do_says_so() {
        try (Chaos chaos = start()) {
            assertThatThrownBy(() -> chaos.ask("mistake", 7))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("mistake 7")
                    .hasMessageContaining("number 7 is no good");
            assertThatThrownBy(() -> chaos.ask("parcel", 7))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("nothing of this name");
        }
    }

    @Test
    void what_a_process_does_not_live_to_tell_may_not_have_been_done() {
        try (Chaos chaos = start()) {
            assertThatThrownBy(() -> chaos.ask("death", 7))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("not answered");
            assertThatThrownBy(() -> chaos.ask("order", 7))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("not there");
        }
    }
}
