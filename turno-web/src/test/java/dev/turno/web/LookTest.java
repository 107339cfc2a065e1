package dev.turno.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.buffer.BufferOptions;
import dev.turno.buffer.Buffers;
import dev.turno.claim.Verdict;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxOptions;
import dev.turno.run.Job;
import dev.turno.run.RunOptions;
import dev.turno.run.RunRequest;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A dashboard beside an application that keeps what is its own for longer than the defaults say. */
@Timeout(120)
class LookTest {

    private static final Duration KEPT = Duration.ofDays(365);
    private static final String BREAD = "bread";

    private final FreshDatabase database = TestDatabase.H2.fresh();
    private final ApiServer server = ApiServer.start(database, database.url());
    private final Turno application =
            Turno.start(database.dataSource(), TurnoOptions.defaults().withNode("application"));

    @BeforeEach
    void the_application_did_its_work_forty_days_ago() {
        Inbox orders = application.inbox("orders", InboxOptions.of(o -> o.keep(KEPT)));
        orders.put(BREAD, "{}");
        orders.take(application.holder(), 1).forEach(taken -> orders.done(application.holder(), taken.claim()));

        Buffers chats = application.buffers(
                "chats", BufferOptions.of(o -> o.keepIds(KEPT).quiet(Duration.ofMillis(1))));
        chats.add(BREAD, "hola");
        chats.flush(BREAD);
        chats.rows()
                .take(application.holder(), 1)
                .forEach(taken -> chats.rows().finish(application.holder(), List.of(new Verdict.Done(taken.claim()))));

        Runs runs = application.runs(RunOptions.of(o -> o.keep(KEPT)));
        runs.add(Job.of("bake", Source.iterator(run -> List.<String>of().iterator()), Step.each((item, page) -> {})));
        runs.cancel(runs.submit(RunRequest.of("bake").on(BREAD)).orThrow());

        JdbcClient jdbc = JdbcClient.create(database.dataSource());
        OffsetDateTime then = OffsetDateTime.now(ZoneOffset.UTC).minusDays(40);
        for (String aged : List.of(
                "update turno_inbox set finished_at = ? where finished_at is not null",
                "update turno_buffer set idle_at = ? where idle_at is not null",
                "update turno_run set finished_at = ? where finished_at is not null")) {
            assertThat(jdbc.sql(aged).param(then).update()).as(aged).isEqualTo(1);
        }
    }

    @AfterEach
    void close() {
        application.close();
        server.close();
    }

    @Test
    void to_look_at_what_others_keep_for_longer_removes_nothing_of_it() {
        for (String look : List.of(
                "overview",
                "attention",
                "find?q=" + BREAD,
                "inboxes",
                "inboxes/orders",
                "inboxes/orders/messages?state=DONE",
                "inboxes/orders/messages/" + BREAD,
                "why/inbox/orders/" + BREAD,
                "buffers",
                "buffers/chats/" + BREAD,
                "why/buffer/chats/" + BREAD,
                "runs")) {
            assertThat(server.get("/api/v1/" + look).status()).as(look).isEqualTo(200);
        }

        everythingIsPrunedThatTheServerPrunes();

        assertThat(application.inbox("orders").find(BREAD)).isPresent();
        assertThat(application.buffers("chats").find(BREAD)).isPresent();
        assertThat(application.runs().counts().cancelled()).isEqualTo(1);
    }

    @Test
    void to_put_beside_others_removes_nothing_that_they_keep_for_longer() {
        String message = "{\"id\":\"cake\",\"body\":\"{}\"}";
        assertThat(server.post("/api/v1/inboxes/orders/messages", message).status())
                .isEqualTo(201);
        assertThat(server.post("/api/v1/buffers/chats/cake/messages", message).status())
                .isEqualTo(202);

        everythingIsPrunedThatTheServerPrunes();

        assertThat(application.inbox("orders").find(BREAD)).isPresent();
        assertThat(application.buffers("chats").find(BREAD)).isPresent();
    }

    /** What retention does now and then. */
    private void everythingIsPrunedThatTheServerPrunes() {
        server.turno().openInboxes().forEach(Inbox::prune);
        server.turno().openBuffers().forEach(Buffers::prune);
        server.turno().tasks().prune();
        server.turno().runs().prune();
    }
}
