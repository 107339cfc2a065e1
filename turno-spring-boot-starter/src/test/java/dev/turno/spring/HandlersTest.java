package dev.turno.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.Burst;
import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.Message;
import dev.turno.inbox.NewMessage;
import dev.turno.inbox.StoredMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

class HandlersTest {

    record Order(String product, int count) {}

    static class Handlers {

        final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

        @InboxHandler("typed")
        void typed(Order order) {
            seen.add(order);
        }

        @InboxHandler("generic")
        void generic(Turn turn, List<Order> orders, Message message) {
            seen.add(Map.of("orders", orders, "id", message.id(), "attempt", turn.attempt()));
        }

        @InboxHandler("mapped")
        void mapped(Map<String, Order> orders) {
            seen.add(orders);
        }

        @InboxHandler("rejecting")
        Result rejecting(String body) {
            return Result.reject("not " + body);
        }

        @InboxHandler("failing")
        void failing() throws IOException {
            throw new IOException("the disk is full");
        }

        @BurstHandler("chat")
        void chat(String text, Burst burst) {
            seen.add(burst.key() + " " + text);
        }

        Object next() throws InterruptedException {
            Object next = seen.poll(30, TimeUnit.SECONDS);
            return next == null ? "nothing came" : next;
        }
    }

    /** A class-based proxy stands before it. */
    static class Proxied extends Handlers {

        @InboxHandler("proxied")
        @Transactional
        public void proxied(String body) {
            seen.add(body + TransactionSynchronizationManager.isActualTransactionActive());
        }
    }

    private final ApplicationContextRunner application = Applications.onH2()
            .withPropertyValues(
                    "turno.buffers.chat.flush-words=listo",
                    "turno.buffers.chat.quiet=1m",
                    "turno.inboxes.failing.max-attempts=1");

    private void run(ContextConsumer<AssertableApplicationContext> test) {
        application.withBean(Handlers.class).run(test);
    }

    private static StoredMessage ended(AssertableApplicationContext context, String inbox, String id) {
        var messages = context.getBean(Turno.class).inbox(inbox);
        return await().until(
                        () -> messages.find(id).orElseThrow(),
                        message -> message.state() != InboxState.PENDING && message.state() != InboxState.DOING);
    }

    @Test
    void a_handler_gets_the_body_as_its_type() {
        run(context -> {
            context.getBean(TurnoTemplate.class).put("typed", "1", new Order("tea", 3));

            assertThat(context.getBean(Handlers.class).next()).isEqualTo(new Order("tea", 3));
        });
    }

    @Test
    void a_handler_gets_generic_bodies_the_message_and_the_turn_in_any_order() {
        run(context -> {
            context.getBean(TurnoTemplate.class).put("generic", "1", List.of(new Order("tea", 3)));

            assertThat(context.getBean(Handlers.class).next())
                    .isEqualTo(Map.of("orders", List.of(new Order("tea", 3)), "id", "1", "attempt", 1));
        });
    }

    @Test
    void a_body_that_cannot_be_read_is_parked_with_the_reason() {
        run(context -> {
            context.getBean(TurnoTemplate.class).put("typed", "1", "tea, please");

            StoredMessage message = ended(context, "typed", "1");
            assertThat(message.state()).isEqualTo(InboxState.DEAD);
            assertThat(message.error())
                    .hasValueSatisfying(error ->
                            assertThat(error).contains("The body cannot be read for", "Handlers.typed", "revive"));
        });
    }

    @Test
    void a_body_that_cannot_be_read_is_not_quoted_in_the_reason() {
        run(context -> {
            TurnoTemplate template = context.getBean(TurnoTemplate.class);
            template.put("typed", "1", "{\"product\":\"tea\",\"count\":\"Ada Lovelace\"}");
            template.put("typed", "2", "Ada Lovelace");
            template.put("generic", "1", "[{\"count\":1},{\"count\":\"Ada Lovelace\"}]");
            template.put("mapped", "1", "{\"Ada Lovelace\":{\"count\":\"Ada Lovelace\"}}");

            assertThat(reason(context, "typed", "1"))
                    .contains("InvalidFormatException at line 1, column ", ", in count, where int is expected.");
            assertThat(reason(context, "typed", "2")).contains("StreamReadException at line 1, column ");
            assertThat(reason(context, "generic", "1")).contains(", in [1].count, where int is expected.");
            assertThat(reason(context, "mapped", "1")).contains(", in [key].count, where int is expected.");
        });
    }

    private static String reason(AssertableApplicationContext context, String inbox, String id) {
        String reason = ended(context, inbox, id).error().orElseThrow();
        assertThat(reason).doesNotContain("Ada").doesNotContain("Lovelace");
        return reason;
    }

    @Test
    void a_result_is_obeyed() {
        run(context -> {
            context.getBean(TurnoTemplate.class).put("rejecting", "1", "me");

            StoredMessage message = ended(context, "rejecting", "1");
            assertThat(message.state()).isEqualTo(InboxState.DEAD);
            assertThat(message.error()).hasValue("not me");
        });
    }

    @Test
    void an_exception_is_told_as_it_was_thrown() {
        run(context -> {
            context.getBean(TurnoTemplate.class).put("failing", "1", "{}");

            assertThat(ended(context, "failing", "1").error())
                    .hasValueSatisfying(error -> assertThat(error)
                            .contains("java.io.IOException: the disk is full")
                            .doesNotContain("InvocationTargetException"));
        });
    }

    @Test
    void a_handler_of_bursts_gets_the_joined_text() {
        run(context -> {
            TurnoTemplate template = context.getBean(TurnoTemplate.class);
            template.add("chat", "ana", BufferMessage.of("1", "hola"));
            template.add("chat", "ana", BufferMessage.of("2", "listo"));

            assertThat(context.getBean(Handlers.class).next()).isEqualTo("ana hola\nlisto");
        });
    }

    @Test
    void a_handler_behind_a_proxy_is_called_through_it() {
        application.withBean(Proxied.class).run(context -> {
            context.getBean(TurnoTemplate.class).put("proxied", "1", "in a transaction: ");

            assertThat(context.getBean(Proxied.class).next()).isEqualTo("in a transaction: true");
        });
    }

    @Test
    void a_handler_is_found_also_where_beans_are_made_only_when_needed() {
        application
                .withBean(Handlers.class, Handlers::new, definition -> definition.setLazyInit(true))
                .run(context -> {
                    context.getBean(TurnoTemplate.class)
                            .put(
                                    "typed",
                                    NewMessage.of("1", "{\"product\":\"tea\",\"count\":1}")
                                            .after(Duration.ofMillis(10)));

                    assertThat(context.getBean(Handlers.class).next()).isEqualTo(new Order("tea", 1));
                });
    }
}
