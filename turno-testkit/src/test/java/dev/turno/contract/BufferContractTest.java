package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.buffer.Added;
import dev.turno.buffer.BufferCounts;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.BufferOptions;
import dev.turno.buffer.BufferState;
import dev.turno.buffer.Buffers;
import dev.turno.buffer.Burst;
import dev.turno.buffer.BurstMessage;
import dev.turno.buffer.DeadBurst;
import dev.turno.buffer.DeadPage;
import dev.turno.buffer.KeyView;
import dev.turno.claim.Claim;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import dev.turno.testkit.node.SettableTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Buffers, step by step, with settable time. */
@OnEveryDatabase
class BufferContractTest {

    private static final String ANA = "+34600000001";
    private static final String BEA = "+34600000002";

    private final FreshDatabase database;
    private final Cluster cluster;
    private final SettableTime time;
    private final Node nodeA;
    private final Node nodeB;
    private final Buffers buffer;

    BufferContractTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.stepwise(database);
        this.time = cluster.time();
        this.nodeA = cluster.node("node-a");
        this.nodeB = cluster.node("node-b");
        this.buffer = nodeA.turno().buffers("whatsapp");
        nodeB.turno().buffers("whatsapp");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private void seconds(long seconds) {
        time.forward(Duration.ofSeconds(seconds));
    }

    private static List<Taken<Burst>> takeAll(Node node) {
        return node.turno().buffers("whatsapp").rows().take(node.turno().holder(), 100);
    }

    private static Taken<Burst> takeOne(Node node) {
        List<Taken<Burst>> taken = takeAll(node);
        assertThat(taken).hasSize(1);
        return taken.get(0);
    }

    private static Finish finish(Node node, Verdict verdict) {
        return node.turno()
                .buffers("whatsapp")
                .rows()
                .finish(node.turno().holder(), List.of(verdict))
                .get(0);
    }

    private static Finish done(Node node, Taken<Burst> taken) {
        return finish(node, new Verdict.Done(taken.claim()));
    }

    private static Finish again(Node node, Taken<Burst> taken, Duration in) {
        return finish(node, new Verdict.Again(taken.claim(), in, "the gateway is away"));
    }

    private static Finish dead(Node node, Taken<Burst> taken) {
        return finish(node, new Verdict.Dead(taken.claim(), "the gateway says no"));
    }

    private void use(BufferOptions options) {
        nodeA.turno().buffers("whatsapp", options);
        nodeB.turno().buffers("whatsapp", options);
    }

    private Buffers whatsapp() {
        return nodeA.turno().buffers("whatsapp");
    }

    @Test
    void the_names_of_buffers_and_inboxes_that_anybody_used_are_known_to_all() {
        nodeB.turno().buffers("mail");
        nodeB.turno().inbox("orders");

        assertThat(nodeA.turno().bufferNames()).containsExactly("mail", "whatsapp");
        assertThat(nodeA.turno().inboxNames()).containsExactly("orders");
    }

    private KeyView key(String key) {
        return buffer.find(key).orElseThrow();
    }

    // ---- the seed's scenario

    @Test
    void two_messages_are_handed_over_once_ten_seconds_after_the_second() {
        buffer.add(ANA, "hola");
        seconds(2);
        buffer.add(ANA, "quiero reserva");

        seconds(9);
        assertThat(takeAll(nodeA)).isEmpty();
        time.forward(Duration.ofMillis(999));
        assertThat(takeAll(nodeA)).isEmpty();
        time.forward(Duration.ofMillis(1));
        Taken<Burst> burst = takeOne(nodeA);
        assertThat(burst.row().key()).isEqualTo(ANA);
        assertThat(burst.row().text()).isEqualTo("hola\nquiero reserva");
        assertThat(burst.attempt()).isEqualTo(1);
        assertThat(takeAll(nodeB)).isEmpty();

        seconds(4);
        assertThat(done(nodeA, burst)).isEqualTo(new Finish.Kept());
        seconds(3_600);
        assertThat(takeAll(nodeB)).isEmpty();
        assertThat(key(ANA).state()).isEqualTo(BufferState.IDLE);
    }

    @Test
    void a_message_during_the_hand_over_goes_into_the_next_one_with_its_own_quiet_time() {
        buffer.add(ANA, "hola");
        seconds(10);
        Taken<Burst> first = takeOne(nodeA);
        seconds(1);
        buffer.add(ANA, "una cosa mas");
        seconds(3);
        assertThat(first.row().text()).isEqualTo("hola");
        assertThat(done(nodeA, first)).isEqualTo(new Finish.Kept());

        seconds(6);
        assertThat(takeAll(nodeB)).isEmpty();
        seconds(1);
        Taken<Burst> second = takeOne(nodeB);
        assertThat(second.row().text()).isEqualTo("una cosa mas");
        assertThat(second.key()).isNotEqualTo(first.key());
    }

    @Test
    void what_was_due_during_a_long_hand_over_goes_right_after_it() {
        buffer.add(ANA, "hola");
        seconds(10);
        Taken<Burst> first = takeOne(nodeA);
        buffer.add(ANA, "otra");
        seconds(30);
        assertThat(takeAll(nodeB)).isEmpty();

        done(nodeA, first);

        assertThat(takeOne(nodeB).row().text()).isEqualTo("otra");
    }

    @Test
    void a_talker_every_nine_seconds_is_flushed_at_the_maximum_wait() {
        for (int i = 0; i < 7; i++) {
            buffer.add(ANA, "mensaje " + i);
            assertThat(takeAll(nodeA)).isEmpty();
            if (i < 6) {
                seconds(9);
            }
        }
        seconds(5);
        assertThat(takeAll(nodeA)).isEmpty(); // 59 s
        seconds(1);
        assertThat(takeOne(nodeA).row().messages()).hasSize(7);
    }

    // ---- adding

    @Test
    void an_add_tells_when_it_will_be_handed_over() {
        Instant now = time.now().orElseThrow();

        Added first = buffer.add(ANA, "hola");
        seconds(3);
        Added second = buffer.add(ANA, List.of(BufferMessage.of("a"), BufferMessage.of("b")));

        assertThat(first)
                .isEqualTo(new Added(1, 0, 1, Optional.of(now.plusSeconds(10)), Optional.of(Duration.ofSeconds(10))));
        assertThat(second)
                .isEqualTo(new Added(2, 0, 3, Optional.of(now.plusSeconds(13)), Optional.of(Duration.ofSeconds(10))));
    }

    @Test
    void a_message_sent_again_neither_repeats_nor_restarts_the_quiet_time() {
        buffer.add(ANA, BufferMessage.of("wamid.1", "hola"));
        seconds(8);

        Added again = nodeB.turno().buffers("whatsapp").add(ANA, BufferMessage.of("wamid.1", "hola"));

        assertThat(again.stored()).isZero();
        assertThat(again.duplicates()).isEqualTo(1);
        assertThat(again.in()).contains(Duration.ofSeconds(2));
        seconds(2);
        assertThat(takeOne(nodeA).row().messages()).hasSize(1);
    }

    @Test
    void a_message_sent_again_after_its_hand_over_is_still_recognised_for_eight_days() {
        buffer.add(ANA, BufferMessage.of("wamid.1", "hola"));
        seconds(10);
        done(nodeA, takeOne(nodeA));

        days(8, Duration.ofMinutes(-1));
        prune();
        assertThat(buffer.add(ANA, BufferMessage.of("wamid.1", "hola")).duplicates())
                .isEqualTo(1);
        assertThat(key(ANA).state()).isEqualTo(BufferState.IDLE);

        time.forward(Duration.ofMinutes(2));
        prune();
        assertThat(buffer.add(ANA, BufferMessage.of("wamid.1", "hola")).stored())
                .isEqualTo(1);
    }

    @Test
    void who_only_adds_and_looks_forgets_no_id_that_those_who_take_still_keep() {
        nodeA.turno().buffers("whatsapp", BufferOptions.of(o -> o.keepIds(Duration.ofDays(30))));
        Buffers looking = nodeB.turno().buffers("whatsapp");
        looking.add(ANA, BufferMessage.of("wamid.1", "hola"));
        seconds(10);
        done(nodeA, takeOne(nodeA));

        days(9, Duration.ZERO);
        looking.prune();
        assertThat(looking.add(ANA, BufferMessage.of("wamid.1", "hola")).duplicates())
                .isEqualTo(1);

        days(22, Duration.ZERO);
        whatsapp().prune();
        assertThat(looking.find(ANA)).isEmpty();
    }

    @Test
    void a_key_that_was_forgotten_does_not_start_with_a_fence_that_it_had_before() {
        buffer.add(ANA, "hola");
        seconds(10);
        Taken<Burst> before = takeOne(nodeA);
        done(nodeA, before);
        days(9, Duration.ZERO);
        prune();
        assertThat(buffer.find(ANA)).isEmpty();

        buffer.add(ANA, "hola otra vez");
        seconds(10);
        Taken<Burst> after = takeOne(nodeA);

        assertThat(after.claim().fence()).isGreaterThan(before.claim().fence());
        assertThat(after.key()).isNotEqualTo(before.key());
    }

    private void days(int days, Duration more) {
        time.forward(Duration.ofDays(days).plus(more));
        nodeA.beat();
    }

    private void prune() {
        while (buffer.prune()) {
            // in batches
        }
    }

    @Test
    void a_batch_with_known_and_repeated_ids_stores_each_once_in_order() {
        buffer.add(ANA, BufferMessage.of("1", "uno"));
        seconds(5);

        Added added = buffer.add(
                ANA,
                List.of(
                        BufferMessage.of("2", "dos"),
                        BufferMessage.of("1", "uno"),
                        BufferMessage.of("2", "dos"),
                        BufferMessage.of("sin id"),
                        BufferMessage.of("sin id"),
                        BufferMessage.of("3", "tres")));

        assertThat(added.stored()).isEqualTo(4);
        assertThat(added.duplicates()).isEqualTo(2);
        assertThat(added.seq()).isEqualTo(5);
        assertThat(buffer.add(ANA, BufferMessage.of("3", "tres")).stored()).isZero();
        assertThat(buffer.add(ANA, BufferMessage.of("2", "dos")).stored()).isZero();
        seconds(10);
        assertThat(takeOne(nodeA).row().text()).isEqualTo("uno\ndos\nsin id\nsin id\ntres");
    }

    @Test
    void who_loses_the_race_for_a_keys_first_message_learns_its_number() throws Exception {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            buffer.add(connection, ANA, List.of(BufferMessage.of("1", "hola")));
            CompletableFuture<Void> commit = committed(connection);

            Added second = buffer.add(ANA, BufferMessage.of("1", "hola"));

            commit.get();
            connection.setAutoCommit(true);
            assertThat(second.duplicates()).isEqualTo(1);
            assertThat(second.seq()).isEqualTo(1);
            assertThat(second.in()).contains(Duration.ofSeconds(10));
        }
    }

    @Test
    void an_add_larger_than_a_message_to_the_server_may_be_is_still_one_add() throws SQLException {
        // Each of these characters takes seven bytes on the way to MariaDB, which allows 16 MB.
        List<BufferMessage> big = IntStream.range(0, 40)
                .mapToObj(i -> BufferMessage.of("id-" + i, i + "\u0001".repeat(65_000)))
                .toList();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(buffer.add(connection, ANA, big).stored()).isEqualTo(40);
            connection.rollback();
            connection.setAutoCommit(true);
        }

        Added added = buffer.add(ANA, big);
        Added again = buffer.add(ANA, big);

        assertThat(added.stored()).isEqualTo(40);
        assertThat(added.seq()).isEqualTo(40);
        assertThat(again.duplicates()).isEqualTo(40);
        assertThat(takeOne(nodeA).row().messages())
                .extracting(BurstMessage::body)
                .isEqualTo(big.stream().map(BufferMessage::body).toList());
    }

    @Test
    void ids_belong_to_their_key_and_differ_by_case_and_trailing_space() {
        buffer.add(ANA, BufferMessage.of("a", "1"));

        assertThat(buffer.add(BEA, BufferMessage.of("a", "2")).stored()).isEqualTo(1);
        assertThat(buffer.add(ANA, BufferMessage.of("A", "3")).stored()).isEqualTo(1);
        assertThat(buffer.add(ANA, BufferMessage.of("a ", "4")).stored()).isEqualTo(1);
        assertThat(buffer.add(ANA + " ", BufferMessage.of("a", "5")).stored()).isEqualTo(1);
    }

    @Test
    void texts_of_all_alphabets_come_back_as_they_were() {
        String body = "{\"ñandú\": \"日本語 😀 \\\" \\\\ \n\t ' ; -- ? :key $[0] \u0001\"}";
        buffer.add("ключ-😀 'x' ?", BufferMessage.of("ид-😀", body).withType("json"));
        seconds(10);

        Taken<Burst> burst = takeOne(nodeA);

        assertThat(burst.row().key()).isEqualTo("ключ-😀 'x' ?");
        BurstMessage message = burst.row().messages().get(0);
        assertThat(message.body()).isEqualTo(body);
        assertThat(message.id()).contains("ид-😀");
        assertThat(message.type()).isEqualTo("json");
        assertThat(burst.row().text()).isEmpty();
    }

    @Test
    void messages_are_ordered_by_their_senders_time_and_then_by_arrival() {
        Instant now = time.now().orElseThrow();
        buffer.add(ANA, BufferMessage.of("c").sentAt(now.minusSeconds(1)));
        buffer.add(ANA, BufferMessage.of("a").sentAt(now.minusSeconds(5)));
        buffer.add(ANA, BufferMessage.of("b").sentAt(now.minusSeconds(5)));
        buffer.add(ANA, BufferMessage.of("sin hora"));
        seconds(1);
        buffer.add(ANA, BufferMessage.of("ultimo"));
        seconds(10);

        assertThat(takeOne(nodeA).row().text()).isEqualTo("a\nb\nc\nsin hora\nultimo");
    }

    @Test
    void a_senders_clock_in_the_future_counts_as_the_moment_of_arrival() {
        Instant future = time.now().orElseThrow().plus(Duration.ofDays(365));
        buffer.add(ANA, BufferMessage.of("del futuro").sentAt(future));
        seconds(1);
        buffer.add(ANA, BufferMessage.of("de ahora"));
        seconds(10);

        Burst burst = takeOne(nodeA).row();

        assertThat(burst.text()).isEqualTo("del futuro\nde ahora");
        assertThat(burst.messages().get(0).sentAt()).contains(future);
    }

    @Test
    void only_texts_are_joined_but_all_messages_are_handed_over() {
        buffer.add(
                ANA,
                List.of(
                        BufferMessage.of("mira"),
                        BufferMessage.of("https://example.org/foto.jpg").withType("image"),
                        BufferMessage.of("esta")));
        seconds(10);

        Burst burst = takeOne(nodeA).row();

        assertThat(burst.text()).isEqualTo("mira\nesta");
        assertThat(burst.messages()).hasSize(3);
    }

    @Test
    void unusable_input_is_refused_and_nothing_is_added() {
        assertThatThrownBy(() -> buffer.add("k".repeat(201), "hola"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("201");
        assertThatThrownBy(() -> buffer.add("", "hola")).hasMessageContaining("key");
        assertThatThrownBy(() -> buffer.add("a\0b", "hola")).hasMessageContaining("NUL");
        assertThatThrownBy(() -> buffer.add(ANA, "")).hasMessageContaining("body");
        assertThatThrownBy(() -> buffer.add(ANA, "x".repeat(65_537))).hasMessageContaining("max-body");
        assertThatThrownBy(() -> buffer.add(ANA, List.of())).hasMessageContaining("1 to 1000");
        assertThatThrownBy(() -> BufferMessage.of("i".repeat(201), "hola")).hasMessageContaining("message id");
        assertThatThrownBy(() ->
                        buffer.add(ANA, List.of(BufferMessage.of("bueno"), BufferMessage.of("x".repeat(70_000)))))
                .hasMessageContaining("Nothing was added");

        assertThat(buffer.find(ANA)).isEmpty();
        assertThat(buffer.add("k".repeat(200), "x".repeat(65_536)).stored()).isEqualTo(1);
    }

    @Test
    void an_add_in_the_callers_transaction_is_there_if_and_when_that_commits() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            buffer.add(connection, ANA, List.of(BufferMessage.of("1", "nunca")));
            connection.rollback();
            buffer.add(connection, ANA, List.of(BufferMessage.of("1", "hola")));
            buffer.add(connection, BEA, List.of(BufferMessage.of("1", "hola")));
            Added twice =
                    buffer.add(connection, ANA, List.of(BufferMessage.of("1", "hola"), BufferMessage.of("2", "y")));
            assertThat(twice.stored()).isEqualTo(1);
            seconds(10);
            assertThat(takeAll(nodeA)).isEmpty();
            connection.commit();
            connection.setAutoCommit(true);
        }

        assertThat(takeAll(nodeA))
                .extracting(burst -> burst.row().key() + " " + burst.row().text())
                .containsExactlyInAnyOrder(ANA + " hola\ny", BEA + " hola");
    }

    @Test
    void a_key_that_somebody_adds_to_in_an_open_transaction_does_not_keep_the_others_waiting() throws SQLException {
        buffer.add(ANA, "hola");
        buffer.add(BEA, "hola");
        seconds(10);
        List<Taken<Burst>> both = takeAll(nodeA);
        buffer.add("+3", "hola");
        seconds(10);
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            buffer.add(connection, ANA, List.of(BufferMessage.of("despacio")));

            List<Finish> finishes = buffer.rows()
                    .finish(
                            nodeA.turno().holder(),
                            both.stream()
                                    .map(one -> new Verdict.Done(one.claim()))
                                    .toList());
            assertThat(both).extracting(one -> one.row().key()).containsExactly(ANA, BEA);
            assertThat(finishes).containsExactly(new Finish.Open(), new Finish.Kept());
            assertThat(takeOne(nodeB).row().key()).isEqualTo("+3");
            connection.commit();
            connection.setAutoCommit(true);
        }

        assertThat(done(nodeA, both.get(0))).isEqualTo(new Finish.Kept());
        assertThat(key(ANA).waiting()).isEqualTo(1);
    }

    @Test
    void callers_that_add_to_new_keys_do_not_wait_for_each_other() throws SQLException {
        buffer.add("key-2", "hola");
        try (Connection first = database.dataSource().getConnection();
                Connection second = database.dataSource().getConnection()) {
            first.setAutoCommit(false);
            second.setAutoCommit(false);

            buffer.add(first, "key-4", List.of(BufferMessage.of("1", "hola")));
            buffer.add(second, "key-5", List.of(BufferMessage.of("1", "hola")));
            buffer.add(first, "key-3", List.of(BufferMessage.of("1", "hola")));
            buffer.add(second, "key-1", List.of(BufferMessage.of("1", "hola")));
            buffer.add(first, "key-4", List.of(BufferMessage.of("2", "y")));
            buffer.add("key-6", BufferMessage.of("1", "hola"));

            first.commit();
            second.commit();
            first.setAutoCommit(true);
            second.setAutoCommit(true);
        }
        seconds(10);
        assertThat(takeAll(nodeA)).hasSize(6);
    }

    @Test
    void callers_that_add_to_known_keys_do_not_keep_others_from_adding_to_new_ones() throws SQLException {
        buffer.add("key-3", BufferMessage.of("1", "hola"));
        seconds(90); // before, it is not remembered
        try (Connection first = database.dataSource().getConnection();
                Connection second = database.dataSource().getConnection()) {
            first.setAutoCommit(false);
            second.setAutoCommit(false);

            buffer.add(first, "key-3", List.of(BufferMessage.of("2", "y")));
            buffer.add(second, "key-2", List.of(BufferMessage.of("1", "hola")));
            buffer.add(second, "key-4", List.of(BufferMessage.of("1", "hola")));
            buffer.add("key-1", BufferMessage.of("1", "hola"));

            first.commit();
            second.commit();
            first.setAutoCommit(true);
            second.setAutoCommit(true);
        }
        seconds(10);
        assertThat(takeAll(nodeA)).hasSize(4);
    }

    @Test
    void a_caller_adds_to_a_key_to_which_only_other_processes_have_added() throws SQLException {
        buffer.add(ANA, BufferMessage.of("1", "hola"));
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            Buffers theirs = nodeB.turno().buffers("whatsapp");
            assertThat(theirs.add(connection, ANA, List.of(BufferMessage.of("1", "hola"))))
                    .extracting(Added::stored, Added::seq)
                    .containsExactly(0, 1L);
            assertThat(theirs.add(connection, ANA, List.of(BufferMessage.of("2", "y"))))
                    .extracting(Added::stored, Added::seq)
                    .containsExactly(1, 2L);
            connection.commit();
            connection.setAutoCommit(true);
        }
        seconds(10);
        assertThat(takeOne(nodeA).row().text()).isEqualTo("hola\ny");
    }

    @Test
    void a_key_that_is_locked_for_a_moment_is_waited_for_in_line_with_those_who_add() throws Exception {
        buffer.add(ANA, "hola");
        buffer.flush(ANA);
        seconds(1);
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            buffer.add(connection, ANA, List.of(BufferMessage.of("y")));
            CompletableFuture<Void> commit = committed(connection);
            Taken<Burst> burst = takeOne(nodeA);
            commit.get();
            assertThat(burst.row().text()).isEqualTo("hola\ny");

            buffer.add(connection, ANA, List.of(BufferMessage.of("otra")));
            commit = committed(connection);
            assertThat(done(nodeA, burst)).isEqualTo(new Finish.Kept());
            commit.get();
            connection.setAutoCommit(true);
        }
        assertThat(key(ANA).waiting()).isEqualTo(1);
    }

    @Test
    void a_take_hands_over_what_it_has_before_it_waits_for_a_locked_key() throws Exception {
        TrickySource way = new TrickySource(database.dataSource());
        Node node = cluster.nodeOn(
                way.source(), "node-c", dev.turno.TurnoOptions.defaults().withLease(Cluster.LEASE));
        buffer.add(ANA, "hola");
        buffer.add(BEA, "hola");
        seconds(11);
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            buffer.add(connection, ANA, List.of(BufferMessage.of("y")));
            TrickySource.Halt wait = way.haltBefore("where id = ? for update");

            CompletableFuture<List<Taken<Burst>>> first = CompletableFuture.supplyAsync(() -> takeAll(node));
            try {
                assertThat(first.get(60, TimeUnit.SECONDS))
                        .extracting(burst -> burst.row().key())
                        .containsExactly(BEA);
                CompletableFuture<List<Taken<Burst>>> second = CompletableFuture.supplyAsync(() -> takeAll(node));
                wait.awaitSomebody();
                connection.rollback();
                wait.goOn();
                assertThat(second.get(60, TimeUnit.SECONDS))
                        .extracting(burst -> burst.row().text())
                        .containsExactly("hola");
            } finally {
                wait.goOn();
            }
            connection.setAutoCommit(true);
        }
    }

    @Test
    void locked_keys_are_waited_for_in_turn_and_not_always_the_oldest() throws Exception {
        buffer.add(ANA, "hola");
        seconds(1);
        buffer.add(BEA, "hola");
        seconds(10);
        try (Connection ofAna = database.dataSource().getConnection();
                Connection ofBea = database.dataSource().getConnection()) {
            ofAna.setAutoCommit(false);
            ofBea.setAutoCommit(false);
            buffer.add(ofAna, ANA, List.of(BufferMessage.of("despacio")));
            buffer.flush(BEA);
            buffer.add(ofBea, BEA, List.of(BufferMessage.of("y")));
            assertThat(takeAll(nodeB)).isEmpty();
            seconds(2);

            CompletableFuture<Void> commit = committed(ofBea);
            assertThat(takeOne(nodeB).row().key()).isEqualTo(BEA);
            commit.get();
            ofAna.rollback();
            ofAna.setAutoCommit(true);
            ofBea.setAutoCommit(true);
        }
    }

    @Test
    void a_key_that_stays_locked_does_not_keep_others_from_being_waited_for_in_line() throws Exception {
        buffer.add(ANA, "hola");
        seconds(1);
        buffer.add(BEA, "hola");
        seconds(10);
        try (Connection ofAna = database.dataSource().getConnection();
                Connection ofBea = database.dataSource().getConnection()) {
            ofAna.setAutoCommit(false);
            ofBea.setAutoCommit(false);
            buffer.add(ofAna, ANA, List.of(BufferMessage.of("despacio")));
            buffer.flush(BEA);
            buffer.add(ofBea, BEA, List.of(BufferMessage.of("y")));
            assertThat(takeAll(nodeB)).isEmpty(); // it waited for Ana
            time.forward(Duration.ofMillis(100));

            CompletableFuture<Void> commit = committed(ofBea);
            assertThat(takeOne(nodeB).row().key()).isEqualTo(BEA);
            commit.get();
            ofAna.rollback();
            ofAna.setAutoCommit(true);
            ofBea.setAutoCommit(true);
        }
    }

    @Test
    void a_verdict_on_a_key_that_stays_locked_does_not_keep_others_from_being_waited_for_in_line() throws Exception {
        buffer.add(ANA, "hola");
        buffer.add(BEA, "hola");
        seconds(10);
        List<Verdict.Done> verdicts = takeAll(nodeA).stream()
                .map(burst -> new Verdict.Done(burst.claim()))
                .toList();
        try (Connection ofFirst = database.dataSource().getConnection();
                Connection ofSecond = database.dataSource().getConnection()) {
            ofFirst.setAutoCommit(false);
            ofSecond.setAutoCommit(false);
            lock(ofFirst, verdicts.get(0).claim());
            lock(ofSecond, verdicts.get(1).claim());
            HolderId holder = nodeA.turno().holder();
            assertThat(buffer.rows().finish(holder, verdicts)).containsOnly(new Finish.Open());
            time.forward(Duration.ofMillis(100));

            CompletableFuture<Void> commit = committed(ofSecond);
            assertThat(buffer.rows().finish(holder, verdicts)).containsExactly(new Finish.Open(), new Finish.Kept());
            commit.get();
            ofFirst.rollback();
            ofFirst.setAutoCommit(true);
            ofSecond.setAutoCommit(true);
        }
    }

    private static void lock(Connection connection, Claim claim) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery("select id from turno_buffer where id = " + claim.id() + " for update");
        }
    }

    @Test
    void verdicts_on_locked_keys_are_not_waited_for_one_by_one() throws SQLException {
        List<String> keys = IntStream.range(0, 24).mapToObj(i -> "key-" + i).toList();
        keys.forEach(key -> buffer.add(key, "hola"));
        seconds(10);
        List<Verdict.Done> verdicts = takeAll(nodeA).stream()
                .map(burst -> new Verdict.Done(burst.claim()))
                .toList();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            for (String key : keys) {
                buffer.add(connection, key, List.of(BufferMessage.of("despacio")));
            }

            long before = System.nanoTime();
            List<Finish> finishes = buffer.rows().finish(nodeA.turno().holder(), verdicts);
            Duration waited = Duration.ofNanos(System.nanoTime() - before);

            assertThat(finishes).hasSize(24).containsOnly(new Finish.Open());
            assertThat(waited).isLessThan(Duration.ofSeconds(4)); // one by one it takes six seconds or more
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThat(buffer.rows().finish(nodeA.turno().holder(), verdicts)).containsOnly(new Finish.Kept());
    }

    @Test
    void giving_back_does_not_wait_for_a_key_that_somebody_keeps_locked() throws SQLException {
        buffer.add(ANA, "hola");
        buffer.add(BEA, "hola");
        seconds(10);
        List<Claim> both = takeAll(nodeA).stream().map(Taken::claim).toList();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            buffer.add(connection, ANA, List.of(BufferMessage.of("despacio")));

            assertThat(buffer.rows().giveBack(nodeA.turno().holder(), both)).isEqualTo(1);

            assertThat(takeOne(nodeB).row().key()).isEqualTo(BEA);
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThat(buffer.rows().giveBack(nodeA.turno().holder(), both)).isEqualTo(1);
        assertThat(takeOne(nodeB).attempt()).isEqualTo(1);
    }

    /** In a moment; much later, and whoever waits for a locked key for a quarter of a second would have given up. */
    private static CompletableFuture<Void> committed(Connection connection) {
        return CompletableFuture.runAsync(() -> {
            try {
                Thread.sleep(50);
                connection.commit();
            } catch (SQLException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    // ---- when it is due

    @Test
    void a_burst_is_due_at_once_at_the_maximum_count_and_more_messages_do_not_put_it_off() {
        use(BufferOptions.of(o -> o.maxCount(3)));
        whatsapp().add(ANA, "1");
        whatsapp().add(ANA, "2");
        assertThat(takeAll(nodeA)).isEmpty();
        assertThat(whatsapp().add(ANA, "3").in()).contains(Duration.ZERO);
        seconds(1);
        assertThat(whatsapp().add(ANA, "4").in()).contains(Duration.ZERO);

        Taken<Burst> first = takeOne(nodeA);
        assertThat(first.row().text()).isEqualTo("1\n2\n3");
        done(nodeA, first);
        assertThat(takeOne(nodeA).row().text()).isEqualTo("4");
    }

    @Test
    void thousands_of_messages_for_one_key_go_in_bursts_of_the_maximum_count_and_in_order() {
        for (int part = 0; part < 3; part++) {
            int from = part * 1_000;
            buffer.add(
                    ANA,
                    IntStream.range(from, from + 1_000)
                            .mapToObj(i -> BufferMessage.of("id" + i, "m" + i))
                            .toList());
        }
        for (int burst = 0; burst < 6; burst++) {
            Taken<Burst> taken = takeOne(nodeA);
            assertThat(taken.row().messages()).hasSize(500);
            assertThat(taken.row().messages().get(0).body()).isEqualTo("m" + burst * 500);
            assertThat(taken.row().messages().get(499).body()).isEqualTo("m" + (burst * 500 + 499));
            done(nodeA, taken);
        }
        assertThat(key(ANA).state()).isEqualTo(BufferState.IDLE);
        assertThat(rowsOf("turno_buffer_message")).isZero();
    }

    @Test
    void a_burst_is_due_at_once_at_the_maximum_of_bytes() {
        use(BufferOptions.of(o -> o.maxBytes(10)));

        assertThat(whatsapp().add(ANA, "ñññ").in()).contains(Duration.ofSeconds(10));
        assertThat(key(ANA).waitingBytes()).isEqualTo(6);
        assertThat(whatsapp().add(ANA, "1234").in()).contains(Duration.ZERO);

        done(nodeA, takeOne(nodeA));
        assertThat(whatsapp().add(ANA, "123456").in()).contains(Duration.ofSeconds(10));
    }

    @Test
    void a_flush_word_ends_the_waiting() {
        use(BufferOptions.of(o -> o.flushWords("Enviar", "ya")));
        whatsapp().add(ANA, "enviar todo");
        assertThat(takeAll(nodeA)).isEmpty();

        whatsapp().add(ANA, " ENVIAR ");

        assertThat(takeOne(nodeA).row().messages()).hasSize(2);
    }

    @Test
    void a_flush_word_that_is_sent_again_flushes_nothing() {
        use(BufferOptions.of(o -> o.flushWords("ya")));
        whatsapp().add(ANA, BufferMessage.of("1", "ya"));
        done(nodeA, takeOne(nodeA));

        Added added = whatsapp().add(ANA, List.of(BufferMessage.of("1", "ya"), BufferMessage.of("2", "hola")));

        assertThat(added.stored()).isEqualTo(1);
        assertThat(added.in()).contains(Duration.ofSeconds(10));
        assertThat(takeAll(nodeA)).isEmpty();
        assertThat(whatsapp()
                        .add(ANA, List.of(BufferMessage.of("2", "hola"), BufferMessage.of("3", "ya")))
                        .in())
                .contains(Duration.ZERO);
        assertThat(takeOne(nodeA).row().text()).isEqualTo("hola\nya");
    }

    @Test
    void what_waits_is_handed_over_now_on_request() {
        assertThat(buffer.flush(ANA)).isFalse();
        buffer.add(ANA, "hola");

        assertThat(buffer.flush(ANA)).isTrue();

        Taken<Burst> burst = takeOne(nodeA);
        again(nodeA, burst, Duration.ofHours(1));
        assertThat(buffer.flush(ANA)).isTrue();
        Taken<Burst> retry = takeOne(nodeB);
        assertThat(retry.key()).isEqualTo(burst.key());
        assertThat(dead(nodeB, retry)).isEqualTo(new Finish.Kept());
        assertThat(takeAll(nodeA)).isEmpty(); // nothing waits behind it
        assertThat(key(ANA).state()).isEqualTo(BufferState.IDLE);
        assertThat(buffer.reviveAll()).isEqualTo(1);
        assertThat(takeOne(nodeA).row().text()).isEqualTo("hola");
    }

    @Test
    void typing_extends_the_quiet_time_but_not_beyond_the_maximum_wait() {
        assertThat(buffer.typing(ANA)).isFalse();
        buffer.add(ANA, "hola");
        for (int i = 0; i < 6; i++) {
            seconds(9);
            assertThat(takeAll(nodeA)).isEmpty();
            assertThat(buffer.typing(ANA)).isTrue();
        }
        assertThat(buffer.typing(ANA)).isFalse(); // 54 s: due at 60 s in any case
        seconds(6);
        assertThat(takeOne(nodeA).row().text()).isEqualTo("hola");
        assertThat(buffer.typing(ANA)).isFalse();
    }

    @Test
    void typing_does_not_put_off_what_is_to_go_now() {
        buffer.add(ANA, "hola");
        buffer.flush(ANA);

        assertThat(buffer.typing(ANA)).isFalse();

        assertThat(takeOne(nodeA).row().text()).isEqualTo("hola");
    }

    @Test
    void the_next_turn_is_known_so_that_a_loop_can_wake_at_it() {
        assertThat(buffer.rows().untilNextTurn()).isEmpty();
        buffer.add(ANA, "hola");
        seconds(4);
        buffer.add(BEA, "hola");

        assertThat(buffer.rows().untilNextTurn()).contains(Duration.ofSeconds(6));
        seconds(6);
        assertThat(buffer.rows().untilNextTurn()).contains(Duration.ofSeconds(4));
    }

    // ---- one burst at a time, fenced

    @Test
    void a_retry_hands_over_the_very_same_messages_under_the_same_key() {
        buffer.add(ANA, "hola");
        seconds(10);
        Taken<Burst> first = takeOne(nodeA);
        buffer.add(ANA, "nueva");
        assertThat(again(nodeA, first, Duration.ofSeconds(30))).isEqualTo(new Finish.Kept());
        buffer.add(ANA, "mas nueva");

        seconds(29);
        assertThat(takeAll(nodeB)).isEmpty();
        seconds(1);
        Taken<Burst> second = takeOne(nodeB);
        assertThat(second.row().messages()).isEqualTo(first.row().messages());
        assertThat(second.key()).isEqualTo(first.key());
        assertThat(second.claim().fence()).isGreaterThan(first.claim().fence());
        assertThat(second.attempt()).isEqualTo(2);

        done(nodeB, second);
        Taken<Burst> third = takeOne(nodeA);
        assertThat(third.row().text()).isEqualTo("nueva\nmas nueva");
        assertThat(third.attempt()).isEqualTo(1);
    }

    @Test
    void a_holder_that_lost_its_burst_cannot_finish_it() {
        buffer.add(ANA, "hola");
        seconds(10);
        Taken<Burst> slow = takeOne(nodeA);
        buffer.add(ANA, "durante");

        cluster.live(BufferOptions.defaults().work().longestClaim(), nodeA, nodeB);
        Taken<Burst> quick = takeOne(nodeB);

        assertThat(quick.row().messages()).isEqualTo(slow.row().messages());
        assertThat(quick.key()).isEqualTo(slow.key());
        assertThat(done(nodeA, slow)).isInstanceOf(Finish.Lost.class);
        assertThat(again(nodeA, slow, Duration.ZERO)).isInstanceOf(Finish.Lost.class);
        assertThat(dead(nodeA, slow)).isInstanceOf(Finish.Lost.class);
        assertThat(done(nodeB, quick)).isEqualTo(new Finish.Kept());
        assertThat(takeOne(nodeA).row().text()).isEqualTo("durante");
    }

    @Test
    void finishing_twice_is_kept_also_when_the_key_went_on() {
        buffer.add(ANA, "uno");
        seconds(10);
        Taken<Burst> first = takeOne(nodeA);
        buffer.add(ANA, "dos");
        assertThat(done(nodeA, first)).isEqualTo(new Finish.Kept());
        assertThat(done(nodeA, first)).isEqualTo(new Finish.Kept());
        seconds(10);
        Taken<Burst> second = takeOne(nodeB);
        assertThat(done(nodeA, first)).isEqualTo(new Finish.Kept());
        assertThat(done(nodeB, second)).isEqualTo(new Finish.Kept());
        assertThat(done(nodeA, first)).isEqualTo(new Finish.Unknown());
    }

    @Test
    void a_late_finish_beside_that_of_its_successor_is_not_told_that_it_counts() {
        buffer.add(ANA, "hola");
        seconds(10);
        Taken<Burst> late = takeOne(nodeA);
        cluster.live(BufferOptions.defaults().work().longestClaim(), nodeA, nodeB);
        Taken<Burst> successor = takeOne(nodeA);

        List<Finish> finishes = buffer.rows()
                .finish(
                        nodeA.turno().holder(),
                        List.of(new Verdict.Done(late.claim()), new Verdict.Done(successor.claim())));

        assertThat(finishes).containsExactly(new Finish.Unknown(), new Finish.Kept());
    }

    @Test
    void a_dead_holders_burst_is_taken_over_with_the_same_messages_and_key() {
        buffer.add(ANA, "hola");
        seconds(10);
        nodeA.beat();
        nodeB.beat();
        Taken<Burst> first = takeOne(nodeA);
        buffer.add(ANA, "durante");
        cluster.kill(nodeA);
        cluster.live(Cluster.LEASE.plusSeconds(6), nodeB);

        Buffers ofB = nodeB.turno().buffers("whatsapp");
        Taken<Burst> second = takeOne(nodeB);

        assertThat(second.row().messages()).isEqualTo(first.row().messages());
        assertThat(second.key()).isEqualTo(first.key());
        assertThat(done(nodeB, second)).isEqualTo(new Finish.Kept());
        assertThat(ofB.find(ANA).orElseThrow().waiting()).isEqualTo(1);
    }

    @Test
    void what_was_given_back_costs_no_attempt_and_stays_the_same_burst() {
        buffer.add(ANA, "hola");
        seconds(10);
        Taken<Burst> first = takeOne(nodeA);
        buffer.add(ANA, "durante");

        assertThat(buffer.rows().giveBack(nodeA.turno().holder(), List.of(first.claim())))
                .isEqualTo(1);

        Taken<Burst> second = takeOne(nodeB);
        assertThat(second.attempt()).isEqualTo(1);
        assertThat(second.key()).isEqualTo(first.key());
        assertThat(second.row().text()).isEqualTo("hola");
        assertThat(done(nodeA, first)).isInstanceOf(Finish.Lost.class);
    }

    @Test
    void bursts_whose_taking_was_not_answered_are_given_back() {
        buffer.add(ANA, "hola");
        buffer.add(BEA, "hola");
        seconds(10);
        List<Claim> taken = takeAll(nodeA).stream().map(Taken::claim).toList();

        int given = buffer.rows().giveBackUnknown(nodeA.turno().holder(), taken.subList(0, 1));

        assertThat(given).isEqualTo(1);
        assertThat(takeOne(nodeB).claim().id()).isEqualTo(taken.get(1).id());
    }

    @Test
    void a_burst_taken_again_without_an_answer_is_given_back_though_its_lapsed_claim_is_known() {
        buffer.add(ANA, "hola");
        seconds(10);
        Claim lapsed = takeOne(nodeA).claim();
        cluster.live(BufferOptions.defaults().work().longestClaim(), nodeA, nodeB);
        Claim unanswered = takeOne(nodeA).claim();

        assertThat(buffer.rows().giveBackUnknown(nodeA.turno().holder(), List.of(lapsed, unanswered)))
                .isZero();
        assertThat(buffer.rows().giveBackUnknown(nodeA.turno().holder(), List.of(lapsed)))
                .isEqualTo(1);
    }

    @Test
    void a_take_brings_no_more_than_there_is_memory_for_and_gives_the_rest_back() {
        use(BufferOptions.of(o -> o.maxBody(1_000).maxBytes(1_000)));
        List<BufferMessage> big = IntStream.range(0, 20)
                .mapToObj(i -> BufferMessage.of("x".repeat(1_000)))
                .toList();
        IntStream.range(0, 5).forEach(i -> whatsapp().add("key-" + i, big));

        List<Taken<Burst>> first = takeAll(nodeA);
        List<Taken<Burst>> second = takeAll(nodeB);
        List<Taken<Burst>> third = takeAll(nodeA);

        assertThat(List.of(first.size(), second.size(), third.size())).containsExactly(2, 2, 1);
        assertThat(first).extracting(Taken::attempt).containsOnly(1);
        assertThat(second).extracting(Taken::attempt).containsOnly(1);
        assertThat(third.get(0).row().messages()).hasSize(20);
        assertThat(third.get(0).attempt()).isEqualTo(1);
    }

    @Test
    void a_handler_can_finish_in_its_own_transaction() throws SQLException {
        buffer.add(ANA, "hola");
        seconds(10);
        Taken<Burst> burst = takeOne(nodeA);
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(buffer.rows().finishIn(connection, nodeA.turno().holder(), burst.claim()))
                    .isEqualTo(new Finish.Kept());
            connection.rollback();
            Verdict settle = new Verdict.Settle(burst.claim(), Duration.ofSeconds(1), "rolled back");
            assertThat(finish(nodeA, settle)).isEqualTo(new Finish.Undone());
            seconds(1);
            Taken<Burst> second = takeOne(nodeA);
            assertThat(buffer.rows().finishIn(connection, nodeA.turno().holder(), burst.claim()))
                    .isInstanceOf(Finish.Lost.class);
            assertThat(buffer.rows().finishIn(connection, nodeA.turno().holder(), second.claim()))
                    .isEqualTo(new Finish.Kept());
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(finish(nodeA, new Verdict.Settle(second.claim(), Duration.ofSeconds(1), "rolled back")))
                    .isEqualTo(new Finish.Kept());
        }
        assertThat(key(ANA).state()).isEqualTo(BufferState.IDLE);
    }

    @Test
    void a_last_attempt_whose_transaction_was_rolled_back_stays_claimed_to_be_parked() throws SQLException {
        buffer.add(ANA, "hola");
        seconds(10);
        Taken<Burst> burst = takeOne(nodeA);
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            buffer.rows().finishIn(connection, nodeA.turno().holder(), burst.claim());
            connection.rollback();
            connection.setAutoCommit(true);
        }

        Verdict last = new Verdict.Settle(burst.claim(), Duration.ofSeconds(1), "rolled back", true);
        assertThat(finish(nodeA, last)).isEqualTo(new Finish.Undone());
        assertThat(key(ANA).state()).isEqualTo(BufferState.DOING);

        assertThat(finish(nodeA, new Verdict.Dead(burst.claim(), "rolled back")))
                .isEqualTo(new Finish.Kept());
        assertThat(buffer.counts().dead()).isEqualTo(1);
    }

    @Test
    void a_connection_without_a_transaction_cannot_be_joined() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            assertThatThrownBy(() -> buffer.add(connection, ANA, List.of(BufferMessage.of("hola"))))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("auto-commit");
        }
        assertThat(buffer.find(ANA)).isEmpty();
    }

    @Test
    void keys_do_not_wait_for_each_other() {
        buffer.add(ANA, "hola");
        buffer.add(BEA, "hola");
        seconds(10);
        Taken<Burst> ana = nodeA.turno()
                .buffers("whatsapp")
                .rows()
                .take(nodeA.turno().holder(), 1)
                .get(0);
        again(nodeA, ana, Duration.ofHours(1));

        assertThat(takeOne(nodeB).row().key()).isEqualTo(BEA);
    }

    @Test
    void namespaces_and_buffers_do_not_see_each_other() {
        Node other = cluster.node(
                "other",
                dev.turno.TurnoOptions.defaults().withLease(Cluster.LEASE).withNamespace("other"));
        buffer.add(ANA, "hola");
        seconds(10);

        assertThat(takeAll(other)).isEmpty();
        assertThat(nodeA.turno().buffers("telegram").rows().take(nodeA.turno().holder(), 10))
                .isEmpty();
        assertThat(other.turno().buffers("whatsapp").find(ANA)).isEmpty();
        assertThat(takeAll(nodeA)).hasSize(1);
    }

    // ---- dead bursts

    @Test
    void a_dead_burst_is_a_row_of_its_own_with_everything_in_it_and_the_key_goes_on() {
        buffer.add(ANA, List.of(BufferMessage.of("1", "hola"), BufferMessage.of("2", "quiero reserva")));
        seconds(10);
        Taken<Burst> burst = takeOne(nodeA);
        buffer.add(ANA, "sigo aqui");

        assertThat(dead(nodeA, burst)).isEqualTo(new Finish.Kept());

        DeadBurst listed = buffer.listDead(Optional.empty(), 10).items().get(0);
        DeadBurst whole = buffer.findDead(listed.id()).orElseThrow();
        assertThat(whole.key()).isEqualTo(ANA);
        assertThat(whole.handedOverAs()).isEqualTo(burst.key());
        assertThat(whole.messages()).isEqualTo(burst.row().messages());
        assertThat(whole.error()).isEqualTo("the gateway says no");
        assertThat(whole.attempt()).isEqualTo(1);
        assertThat(whole.size()).isEqualTo(2);
        seconds(10);
        Taken<Burst> next = takeOne(nodeA);
        assertThat(next.row().text()).isEqualTo("sigo aqui");
        done(nodeA, next);
        assertThat(buffer.counts()).isEqualTo(new BufferCounts(0, 0, 1));
    }

    @Test
    void nothing_unsent_is_forgotten_however_old() {
        buffer.add(ANA, "hola");
        seconds(10);
        dead(nodeA, takeOne(nodeA));
        buffer.add(BEA, "espera");

        days(30, Duration.ZERO);
        prune();

        DeadBurst burst = buffer.listDead(Optional.empty(), 10).items().get(0);
        assertThat(buffer.findDead(burst.id()).orElseThrow().messages()).hasSize(1);
        assertThat(takeOne(nodeA).row().text()).isEqualTo("espera");
    }

    @Test
    void a_revived_burst_has_the_same_messages_and_key_and_all_its_attempts() {
        buffer.add(ANA, "hola");
        seconds(10);
        Taken<Burst> first = takeOne(nodeA);
        dead(nodeA, first);
        long id = buffer.listDead(Optional.empty(), 10).items().get(0).id();

        assertThat(buffer.revive(id)).isTrue();
        assertThat(buffer.revive(id)).isFalse();
        assertThat(buffer.revive(id + 1)).isFalse();

        Taken<Burst> second = takeOne(nodeB);
        assertThat(second.key()).isEqualTo(first.key());
        assertThat(second.row().messages()).isEqualTo(first.row().messages());
        assertThat(second.attempt()).isEqualTo(1);
        assertThat(done(nodeB, second)).isEqualTo(new Finish.Kept());
        assertThat(buffer.counts()).isEqualTo(new BufferCounts(0, 0, 0));
        assertThat(rowsOf("turno_buffer_message")).isZero();
        assertThat(key(ANA).state()).isEqualTo(BufferState.IDLE);
    }

    @Test
    void a_revived_burst_waits_for_the_one_under_way_and_goes_before_those_that_wait() {
        buffer.add(ANA, "uno");
        seconds(10);
        dead(nodeA, takeOne(nodeA));
        buffer.add(ANA, "dos");
        seconds(10);
        Taken<Burst> two = takeOne(nodeA);
        buffer.add(ANA, "tres");
        seconds(10);
        buffer.reviveAll();
        assertThat(takeAll(nodeB)).isEmpty();

        done(nodeA, two);
        Taken<Burst> one = takeOne(nodeB);
        assertThat(one.row().text()).isEqualTo("uno");
        assertThat(takeAll(nodeA)).isEmpty();
        done(nodeB, one);
        assertThat(takeOne(nodeA).row().text()).isEqualTo("tres");
    }

    @Test
    void a_revived_burst_that_fails_again_is_dead_again_once() {
        buffer.add(ANA, "uno");
        seconds(10);
        dead(nodeA, takeOne(nodeA));
        buffer.add(ANA, "dos");
        seconds(10);
        dead(nodeA, takeOne(nodeA));
        assertThat(buffer.reviveAll()).isEqualTo(2);

        Taken<Burst> one = takeOne(nodeA);
        again(nodeA, one, Duration.ZERO);
        one = takeOne(nodeA);
        assertThat(one.row().text()).isEqualTo("uno");
        dead(nodeA, one);
        Taken<Burst> two = takeOne(nodeA);
        assertThat(two.row().text()).isEqualTo("dos");
        done(nodeA, two);

        List<DeadBurst> left = buffer.listDead(Optional.empty(), 10).items();
        assertThat(left).hasSize(1);
        assertThat(left.get(0).revived()).isFalse();
        assertThat(left.get(0).attempt()).isEqualTo(2);
        buffer.reviveAll();
        assertThat(takeOne(nodeB).row().text()).isEqualTo("uno");
    }

    @Test
    void dead_bursts_are_listed_page_by_page() {
        for (int i = 0; i < 5; i++) {
            buffer.add("key-" + i, "hola");
            buffer.flush("key-" + i);
            dead(nodeA, takeOne(nodeA));
        }

        DeadPage first = buffer.listDead(Optional.empty(), 2);
        DeadPage second = buffer.listDead(first.next(), 2);
        DeadPage third = buffer.listDead(second.next(), 2);

        assertThat(first.items()).extracting(DeadBurst::key).containsExactly("key-4", "key-3");
        assertThat(second.items()).extracting(DeadBurst::key).containsExactly("key-2", "key-1");
        assertThat(third.items()).extracting(DeadBurst::key).containsExactly("key-0");
        assertThat(third.next()).isEmpty();
    }

    // ---- what people see

    @Test
    void a_key_shows_what_waits_and_what_is_under_way() {
        buffer.add(ANA, List.of(BufferMessage.of("a"), BufferMessage.of("b")));
        KeyView waiting = key(ANA);
        seconds(10);
        takeOne(nodeA);
        buffer.add(ANA, "c");
        KeyView doing = key(ANA);

        assertThat(waiting.state()).isEqualTo(BufferState.PENDING);
        assertThat(waiting.waiting()).isEqualTo(2);
        assertThat(waiting.inBurst()).isZero();
        assertThat(doing.state()).isEqualTo(BufferState.DOING);
        assertThat(doing.waiting()).isEqualTo(1);
        assertThat(doing.inBurst()).isEqualTo(2);
        assertThat(doing.node()).contains("node-a");
        assertThat(doing.flushAt()).contains(time.now().orElseThrow().plusSeconds(10));
        assertThat(buffer.counts()).isEqualTo(new BufferCounts(0, 1, 0));
    }

    private int rowsOf(String table) {
        try (Connection connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var result = statement.executeQuery("select count(*) from " + table)) {
            result.next();
            return result.getInt(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
