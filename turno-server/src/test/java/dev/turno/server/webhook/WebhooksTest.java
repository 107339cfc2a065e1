package dev.turno.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.buffer.BufferMessage;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.NewMessage;
import dev.turno.inbox.StoredMessage;
import dev.turno.server.SharedDatabase;
import dev.turno.task.NewTask;
import dev.turno.task.TaskState;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

@OnEveryDatabase
@Timeout(60)
class WebhooksTest {

    private static final Duration SOON = Duration.ofSeconds(15);
    private static final Target.Id ORDERS = new Target.Id(Target.Kind.INBOX, "orders");
    private static final Target.Id CHATS = new Target.Id(Target.Kind.BUFFER, "chats");
    private static final String SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDqTCHxqvrpNA=";
    private static final Map<String, String> QUICK = Map.of("backoff", "10ms..20ms");

    private final FreshDatabase database;
    private final String namespace = SharedDatabase.namespace();
    private final Turno turno;
    private final Webhooks webhooks;
    private final Receiver receiver;

    WebhooksTest(TestDatabase kind) throws IOException {
        this.database = SharedDatabase.on(kind);
        this.receiver = new Receiver(Receiver.status(200));
        this.turno = Turno.start(database.dataSource(), options().withDrain(Duration.ofSeconds(1)));
        this.webhooks = started(turno, database.dataSource(), namespace, Webhooks.Options.allowing("127.0.0.1"));
    }

    private TurnoOptions options() {
        return TurnoOptions.defaults().withNamespace(namespace);
    }

    private static Webhooks started(Turno on, DataSource source, String namespace, Webhooks.Options options) {
        return started(on, source, namespace, options, InetAddress::getAllByName);
    }

    private static Webhooks started(
            Turno on, DataSource source, String namespace, Webhooks.Options options, AddressGuard.Names names) {
        Webhooks webhooks = Webhooks.open(on, source, namespace, options, names);
        webhooks.begin();
        return webhooks;
    }

    @AfterEach
    void close() {
        webhooks.close();
        turno.close();
        receiver.close();
    }

    private void define(Map<String, String> options) {
        webhooks.define(ORDERS, options, Optional.of(Webhooks.Wish.of(receiver.url(), SECRET)));
    }

    private StoredMessage order(String id) {
        return turno.inbox("orders").find(id).orElseThrow();
    }

    private void untilState(String id, InboxState state) {
        await().atMost(SOON).untilAsserted(() -> assertThat(order(id).state()).isEqualTo(state));
    }

    private void untilCalls(int count) {
        await().atMost(SOON).until(() -> receiver.calls().size() >= count);
    }

    @Test
    void a_message_is_posted_as_it_was_put_signed_and_done() throws Exception {
        define(Map.of());

        turno.inbox("orders").put("order 1/ñ", "{\"total\": 10}");

        untilState("order 1/ñ", InboxState.DONE);
        Receiver.Call call = receiver.calls().get(0);
        assertThat(call.text()).isEqualTo("{\"total\": 10}");
        assertThat(new Verifier(SECRET).accepts(call, Instant.now().getEpochSecond()))
                .isTrue();
        assertThat(call.header("webhook-id")).matches("msg_[A-Za-z0-9_-]{24}");
        assertThat(call.header("turno-fence")).isEqualTo("1");
        assertThat(call.header("turno-attempt")).isEqualTo("1");
        assertThat(call.header("turno-id")).isEqualTo("order+1%2F%C3%B1");
        assertThat(receiver.calls()).hasSize(1);
    }

    @Test
    void a_server_lifts_the_limit_that_it_set_when_it_hears_of_it_no_more() {
        define(Map.of("concurrency", "1"));

        TargetTable table = new TargetTable(database.dataSource(), namespace, new Seal(Optional.empty()));
        table.put(new Target(ORDERS.kind(), ORDERS.name(), Map.of(), Optional.empty()), Duration.ofDays(1));

        await().atMost(SOON).until(() -> turno.inbox("orders").concurrency().isEmpty());
    }

    @Test
    void a_limit_that_an_application_set_stays_when_a_server_begins() {
        define(Map.of());
        turno.inbox("orders").limit(Optional.of(3));

        webhooks.begin();

        assertThat(turno.inbox("orders").concurrency()).contains(3);
    }

    @Test
    void a_retry_has_the_same_id_and_a_higher_fence() {
        receiver.from((exchange, call, number) -> exchange.sendResponseHeaders(number < 3 ? 500 : 200, -1));
        define(QUICK);

        turno.inbox("orders").put("order-1", "{}");

        untilState("order-1", InboxState.DONE);
        List<Receiver.Call> calls = receiver.calls();
        assertThat(calls)
                .extracting(call -> call.header("webhook-id"))
                .hasSize(3)
                .containsOnly(Deliveries.idOf(key()));
        assertThat(calls).extracting(call -> call.number("turno-fence")).containsExactly(1L, 2L, 3L);
        assertThat(calls).extracting(call -> call.number("turno-attempt")).containsExactly(1L, 2L, 3L);
    }

    private String key() {
        long row = JdbcClient.create(database.dataSource())
                .sql("select max(id) from turno_inbox")
                .query(Long.class)
                .single();
        return namespace + "/orders/order-1#" + row;
    }

    @Test
    void gone_means_reject_at_once() {
        receiver.from((exchange, call, number) -> {
            byte[] words = "never heard of it".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(410, words.length);
            exchange.getResponseBody().write(words);
        });
        define(QUICK);

        turno.inbox("orders").put("order-1", "{}");

        untilState("order-1", InboxState.DEAD);
        assertThat(receiver.calls()).hasSize(1);
        assertThat(order("order-1").error().orElseThrow()).contains("410").contains("never heard of it");
    }

    @Test
    void other_answers_are_tried_again_until_the_attempts_are_used_up() {
        receiver.from(Receiver.status(404));
        define(Map.of("backoff", "10ms..20ms", "max-attempts", "3"));

        turno.inbox("orders").put("order-1", "{}");

        untilState("order-1", InboxState.DEAD);
        assertThat(receiver.calls()).hasSize(3);
    }

    @Test
    void retry_after_decides_when_it_is_tried_again_within_bounds() {
        receiver.from((exchange, call, number) -> {
            exchange.getResponseHeaders().add("Retry-After", call.text().contains("hour") ? "100000000" : "60");
            exchange.sendResponseHeaders(503, -1);
        });
        define(QUICK);

        turno.inbox("orders").put("minute", "minute");
        turno.inbox("orders").put("hours", "hours");

        await().atMost(SOON)
                .until(() -> order("minute").error().isPresent()
                        && order("hours").error().isPresent());
        assertThat(untilTurn("minute")).isBetween(Duration.ofSeconds(40), Duration.ofSeconds(61));
        assertThat(untilTurn("hours")).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
        assertThat(receiver.calls()).hasSize(2);
    }

    private Duration untilTurn(String id) {
        return Duration.between(Instant.now(), order(id).turnAt().orElseThrow());
    }

    @Test
    void a_receiver_that_is_away_costs_no_attempts_once_that_was_noticed() throws Exception {
        receiver.from((exchange, call, number) ->
                exchange.sendResponseHeaders(List.of(500, 429, 408).get(number % 3), -1));
        define(Map.of("backoff", "10ms..20ms", "max-attempts", "30", "threads", "2"));
        turno.inbox("orders")
                .putAll(IntStream.range(0, 20)
                        .mapToObj(n -> NewMessage.of("order-" + n, "{}"))
                        .toList());
        untilCalls(Circuit.TOLERATED);
        Thread.sleep(300);
        int noticed = receiver.calls().size();

        Thread.sleep(700);

        assertThat(receiver.calls().size() - noticed)
                .as("only looks whether it is back")
                .isBetween(0, 6);
        receiver.from(Receiver.status(200));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> turno.inbox("orders").counts().done() == 20);
        int attempts =
                IntStream.range(0, 20).map(n -> order("order-" + n).attempt()).sum();
        assertThat(attempts)
                .as("attempts are those that were made")
                .isEqualTo(receiver.calls().size());
    }

    @Test
    void a_post_is_over_before_its_claim_is() {
        receiver.from((exchange, call, number) -> Thread.sleep(20_000));
        // One thread, which writes the end before it takes anything: however long it stands still, nobody takes over.
        webhooks.define(
                ORDERS,
                Map.of("max-run", "4s", "max-attempts", "1", "threads", "1", "finish", "at-once"),
                Optional.of(new Webhooks.Wish(
                        receiver.url(), Optional.empty(), Optional.of(Duration.ofMillis(3900)), Optional.empty())));

        turno.inbox("orders").put("order-1", "{}");

        untilState("order-1", InboxState.DEAD);
        String error = order("order-1").error().orElseThrow();
        assertThat(Duration.parse(error.replaceFirst(".*no answer within (PT[0-9.]+S).*", "$1")))
                .isLessThanOrEqualTo(Duration.ofMillis(3500));
    }

    @Test
    void what_one_server_defines_all_handle_and_what_it_removes_nobody() throws Exception {
        try (Turno second = Turno.start(database.dataSource(), options().withNode("second"));
                Webhooks other =
                        started(second, database.dataSource(), namespace, Webhooks.Options.allowing("127.0.0.1"))) {
            other.define(ORDERS, Map.of(), Optional.of(Webhooks.Wish.of(receiver.url(), SECRET)));
            second.stopTaking();

            turno.inbox("orders").put("order-1", "{}");

            untilState("order-1", InboxState.DONE);
            assertThat(other.remove(ORDERS)).isTrue();
            assertThat(webhooks.find(ORDERS)).isEmpty();
            await().atMost(SOON).until(() -> !webhooks.isHandled(ORDERS));
            turno.inbox("orders").put("order-2", "{}");
            Thread.sleep(300);
            assertThat(order("order-2").state()).isEqualTo(InboxState.PENDING);
        }
    }

    @Test
    void a_replaced_secret_signs_beside_the_new_one_until_its_time_is_over() throws Exception {
        String old = Secret.draw().reveal();
        webhooks.define(ORDERS, Map.of(), Optional.of(Webhooks.Wish.of(receiver.url(), old)));
        define(Map.of());
        turno.inbox("orders").put("order-1", "{}");
        untilState("order-1", InboxState.DONE);
        long now = Instant.now().getEpochSecond();
        Receiver.Call call = receiver.calls().get(0);
        assertThat(new Verifier(old).accepts(call, now)).isTrue();
        assertThat(new Verifier(SECRET).accepts(call, now)).isTrue();

        // Defined again without a secret: it stays, and so does the old one beside it.
        webhooks.define(
                ORDERS,
                Map.of("max-attempts", "7"),
                Optional.of(new Webhooks.Wish(receiver.url(), Optional.empty(), Optional.empty(), Optional.empty())));
        assertThat(webhooks.find(ORDERS).flatMap(Target::webhook).orElseThrow().secrets())
                .containsExactly(Secret.of(SECRET), Secret.of(old));

        String newest = Secret.draw().reveal();
        webhooks.define(
                ORDERS,
                Map.of(),
                Optional.of(new Webhooks.Wish(
                        receiver.url(), Optional.of(newest), Optional.empty(), Optional.of(Duration.ZERO))));
        assertThat(webhooks.find(ORDERS).flatMap(Target::webhook).orElseThrow().secrets())
                .containsExactly(Secret.of(newest));
    }

    @Tag("security")
    @Test
    void a_webhook_without_a_secret_gets_one_which_is_told_once() {
        Optional<Webhooks.Wish> wish =
                Optional.of(new Webhooks.Wish(receiver.url(), Optional.empty(), Optional.empty(), Optional.empty()));

        assertThat(webhooks.define(ORDERS, Map.of(), wish).drawn()).isPresent();
        assertThat(webhooks.define(ORDERS, Map.of(), wish).drawn()).isEmpty();
    }

    @Test
    void a_burst_is_posted_whole() {
        webhooks.define(CHATS, Map.of("quiet", "300ms"), Optional.of(Webhooks.Wish.of(receiver.url(), SECRET)));
        turno.buffers("chats")
                .add(
                        "34600000001",
                        List.of(
                                BufferMessage.of("wamid.1", "hola").sentAt(Instant.parse("2026-01-01T10:00:00Z")),
                                BufferMessage.of("wamid.2", "{\"image\":1}").withType("image"),
                                BufferMessage.of("quiero \"reserva\"")));

        untilCalls(1);

        assertThat(receiver.calls().get(0).text())
                .startsWith(
                        "{\"key\":\"34600000001\",\"messages\":[{\"id\":\"wamid.1\",\"type\":\"text\",\"body\":\"hola\","
                                + "\"at\":\"2026-01-01T10:00:00Z\"},")
                .contains("\"type\":\"image\"")
                .endsWith("\"text\":\"hola\\nquiero \\\"reserva\\\"\"}");
        await().atMost(SOON).until(() -> turno.buffers("chats").counts().doing() == 0);
    }

    @Test
    void a_task_is_posted_at_its_instant_and_until_it_is_ended() throws Exception {
        Target.Id mails = new Target.Id(Target.Kind.TASK, "mails");
        webhooks.define(mails, QUICK, Optional.of(Webhooks.Wish.of(receiver.url(), SECRET)));

        turno.tasks()
                .schedule(NewTask.in("mails", "{\"to\":1}", Duration.ofMillis(500))
                        .withKey("mail-1", NewTask.IfThere.KEEP));

        untilCalls(1);
        Receiver.Call call = receiver.calls().get(0);
        assertThat(call.text()).isEqualTo("{\"to\":1}");
        assertThat(call.header("turno-id")).isEqualTo("mail-1");
        assertThat(new Verifier(SECRET).accepts(call, Instant.now().getEpochSecond()))
                .isTrue();
        await().atMost(SOON)
                .until(() -> turno.tasks().find("mails", "mail-1").orElseThrow().state() == TaskState.DONE);
        webhooks.define(mails, Map.of("max-attempts", "2"), Optional.of(Webhooks.Wish.of(receiver.url(), SECRET)));
        turno.tasks().schedule(NewTask.in("mails", "{}", Duration.ZERO).withKey("mail-2", NewTask.IfThere.KEEP));
        untilCalls(2);
        webhooks.remove(mails);
        turno.tasks().schedule(NewTask.in("mails", "{}", Duration.ZERO).withKey("mail-3", NewTask.IfThere.KEEP));
        Thread.sleep(500);
        assertThat(receiver.calls()).hasSize(2);
    }

    @Test
    void while_one_target_is_waited_for_at_the_end_the_others_take_nothing_more() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        receiver.from((exchange, call, number) -> {
            goOn.await();
            exchange.sendResponseHeaders(200, -1);
        });
        List<String> inboxes = List.of("orders", "returns");
        for (String inbox : inboxes) {
            webhooks.define(
                    new Target.Id(Target.Kind.INBOX, inbox),
                    Map.of(),
                    Optional.of(Webhooks.Wish.of(receiver.url(), SECRET)));
            turno.inbox(inbox).put("first", "{}");
        }
        untilCalls(2);

        Thread closing = new Thread(webhooks::close, "closing");
        closing.start();
        Thread.sleep(1_000);
        inboxes.forEach(inbox -> turno.inbox(inbox).put("second", "{}"));
        Thread.sleep(1_000);

        assertThat(receiver.calls()).hasSize(2);
        goOn.countDown();
        closing.join();
    }

    @Test
    void what_is_unusable_is_refused_and_changes_nothing() {
        Map<String, String> none = Map.of();
        for (String url :
                List.of("http://10.0.0.1/", "http://[fd00::1]/", "http://169.254.169.254/latest", "http://[::1]/")) {
            assertThatThrownBy(() -> webhooks.define(ORDERS, none, Optional.of(Webhooks.Wish.of(url, SECRET))))
                    .as(url)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("turno.webhooks.allow");
        }
        assertThatThrownBy(() -> define(Map.of("max-atempts", "3"))).hasMessageContaining("max-attempts");
        assertThatThrownBy(() -> define(Map.of("max-run", "5s"))).hasMessageContaining("timeout");
        assertThatThrownBy(() -> define(Map.of("finish", "in-transaction"))).hasMessageContaining("at-once");
        assertThatThrownBy(() -> webhooks.define(CHATS, Map.of("quite", "5s"), Optional.empty()))
                .hasMessageContaining("quiet");
        assertThat(webhooks.list()).isEmpty();
    }

    @Test
    void a_name_that_leads_inside_later_is_not_posted_to() {
        boolean[] inside = {false};
        AddressGuard.Names names = host -> InetAddress.getAllByName(inside[0] ? "127.0.0.1" : "1.1.1.1");
        try (Turno second = Turno.start(
                        database.dataSource(), TurnoOptions.defaults().withNamespace("strict"));
                Webhooks strict =
                        started(second, database.dataSource(), "strict", Webhooks.Options.allowing(), names)) {
            String url = "http://rebind.example:" + receiver.port() + "/";
            strict.define(ORDERS, Map.of("max-attempts", "1"), Optional.of(Webhooks.Wish.of(url, SECRET)));
            inside[0] = true;

            second.inbox("orders").put("order-1", "{}");

            await().atMost(SOON)
                    .until(() ->
                            second.inbox("orders").find("order-1").orElseThrow().state() == InboxState.DEAD);
            assertThat(second.inbox("orders")
                            .find("order-1")
                            .orElseThrow()
                            .error()
                            .orElseThrow())
                    .contains("not a public address");
            assertThat(receiver.calls()).isEmpty();
        }
    }

    @Tag("security")
    @Test
    void secrets_are_sealed_in_the_database_if_there_is_a_key() {
        String key = Base64.getEncoder().encodeToString(new byte[32]);
        Webhooks.Options options = new Webhooks.Options(List.of("127.0.0.1"), Optional.of(key), List.of(), true);
        try (Turno second = Turno.start(
                        database.dataSource(), TurnoOptions.defaults().withNamespace("sealed"));
                Webhooks sealing = started(second, database.dataSource(), "sealed", options)) {
            sealing.define(
                    ORDERS,
                    Map.of(),
                    Optional.of(Webhooks.Wish.of(receiver.url(), Secret.draw().reveal())));
            sealing.define(ORDERS, Map.of(), Optional.of(Webhooks.Wish.of(receiver.url(), SECRET)));

            String stored = JdbcClient.create(database.dataSource())
                    .sql("select secret from turno_target where namespace = 'sealed'")
                    .query(String.class)
                    .single();
            assertThat(stored).startsWith("aes:").doesNotContain(SECRET.substring(6));
            assertThat(sealing.find(ORDERS)
                            .flatMap(Target::webhook)
                            .orElseThrow()
                            .secret()
                            .reveal())
                    .isEqualTo(SECRET);
        }
        // Another key: the webhook is not used, and can be defined anew.
        try (Turno third = Turno.start(
                        database.dataSource(), TurnoOptions.defaults().withNamespace("sealed"));
                Webhooks keyless =
                        started(third, database.dataSource(), "sealed", Webhooks.Options.allowing("127.0.0.1"))) {
            assertThat(keyless.find(ORDERS).orElseThrow().webhook()).isEmpty();
            assertThat(keyless.isHandled(ORDERS)).isFalse();
            keyless.define(ORDERS, Map.of(), Optional.of(Webhooks.Wish.of(receiver.url(), SECRET)));
            assertThat(keyless.isHandled(ORDERS)).isTrue();
        }
    }

    @Test
    void a_target_of_the_configuration_is_handled_and_cannot_be_changed_from_outside() throws Exception {
        Target fixed = new Target(
                Target.Kind.INBOX,
                "bills",
                Map.of(),
                Optional.of(new Webhook(
                        Webhook.url(receiver.url()), Duration.ofSeconds(1), Secret.of(SECRET), Optional.empty())));
        Webhooks.Options options = new Webhooks.Options(List.of("127.0.0.1"), Optional.empty(), List.of(fixed), true);
        try (Turno second = Turno.start(database.dataSource(), options());
                Webhooks configured = started(second, database.dataSource(), namespace, options)) {
            second.inbox("bills").put("bill-1", "{}");

            untilCalls(1);
            assertThatThrownBy(() -> configured.define(fixed.id(), Map.of(), Optional.empty()))
                    .isInstanceOf(Webhooks.FixedException.class);
        }
    }
}
