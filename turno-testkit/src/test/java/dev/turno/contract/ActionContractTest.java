package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.action.Action;
import dev.turno.action.Actions;
import dev.turno.action.ScheduledSubject;
import dev.turno.action.Subject;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.run.Job;
import dev.turno.run.Run;
import dev.turno.run.RunState;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.run.StoredRun;
import dev.turno.run.SubmitOutcome;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import dev.turno.testkit.node.SettableTime;
import dev.turno.time.Time;
import dev.turno.watch.WorkEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
class ActionContractTest {

    private static final long A_WHILE_MS = 1_200;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Subject N1 = new Subject("NETWORK::1", Map.of("VALIDATE", true, "INDEX_FRONTEND", false));

    private final FreshDatabase database;
    private final Cluster cluster;
    private final SettableTime time;
    private final Node nodeA;
    private final Node nodeB;
    private final Map<String, Subject> subjects = new ConcurrentHashMap<>();
    private final Actions a;
    private final Actions b;

    ActionContractTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.stepwise(database);
        this.time = cluster.time();
        this.nodeA = cluster.node("node-a");
        this.nodeB = cluster.node("node-b");
        this.a = actions(nodeA.turno());
        this.b = actions(nodeB.turno());
        subjects.put(N1.id(), N1);
    }

    private Actions actions(Turno turno) {
        Actions actions = turno.actions(ZoneId.of("Europe/Berlin"), this::subject);
        register(turno, actions);
        return actions;
    }

    private Optional<Subject> subject(String id) {
        if (id.startsWith("BAD")) {
            throw new IllegalStateException("this one cannot be found");
        }
        if (id.startsWith("BROKEN")) {
            throw new NoClassDefFoundError("of a library that does not fit");
        }
        return Optional.ofNullable(subjects.get(id));
    }

    private static void register(Turno turno, Actions actions) {
        for (String name : List.of("harvest", "validate", "index", "sweep")) {
            turno.runs()
                    .add(Job.of(
                            name,
                            Source.<String>iterator(run -> List.<String>of().iterator()),
                            Step.each((item, page) -> {})));
        }
        actions.registry()
                .add(Action.of(
                        "HARVESTING_ACTION",
                        x -> x.description("Harvesting")
                                .job("harvest")
                                .incremental(true)
                                .alwaysRunOnSchedule()
                                .property("FORCE_FULL_HARVESTING", "Force a full harvest?")))
                .add(Action.of(
                        "VALIDATION_ACTION",
                        x -> x.job("validate").runOnSchedule().property("VALIDATE", "?")))
                .add(Action.of(
                        "INDEXING_ACTION",
                        x -> x.job("index").job("sweep").runOnSchedule().property("INDEX_FRONTEND", "?")))
                .add(Action.of("DELETE_ACTION", x -> x.job("sweep")));
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Taken<Run> takeOne(Node node) {
        List<Taken<Run>> taken = node.turno().runs().rows().take(node.turno().holder(), 10);
        assertThat(taken).hasSize(1);
        return taken.get(0);
    }

    private static void finish(Node node, Verdict verdict) {
        node.turno().runs().rows().finish(node.turno().holder(), List.of(verdict));
    }

    private List<StoredRun> runsOf(String subject) {
        return nodeA.turno().runs().ofSubject(subject, Optional.empty(), 100);
    }

    @Test
    void an_action_with_an_unknown_job_is_refused_at_start_up_and_the_nearest_is_suggested() {
        assertThatThrownBy(() -> a.registry().add(Action.of("X", x -> x.job("harvets"))))
                .hasMessageContaining("harvets")
                .hasMessageContaining("Did you mean 'harvest'?");
        assertThat(a.registry().find("X")).isEmpty();
        assertThatThrownBy(() -> a.registry().add(Action.of("DELETE_ACTION", x -> x.job("sweep"))))
                .hasMessageContaining("already");
        assertThatThrownBy(() -> a.executor().execute("HARVEST_ACTION", N1))
                .hasMessageContaining("Did you mean 'HARVESTING_ACTION'?");
    }

    @Test
    void one_action_runs_its_jobs_in_order_on_the_subject() {
        a.executor().execute("INDEXING_ACTION", N1, true).orThrow();

        Taken<Run> index = takeOne(nodeA);
        assertThat(index.row().job()).isEqualTo("index");
        assertThat(index.row().action()).contains("INDEXING_ACTION");
        assertThat(index.row().incremental()).isTrue();
        assertThat(runsOf(N1.id())).hasSize(1);
        finish(nodeA, new Verdict.Done(index.claim()));
        assertThat(takeOne(nodeB).row().job()).isEqualTo("sweep");
    }

    @Test
    void on_schedule_all_that_apply_run_as_one_chain_and_a_failure_stops_it() {
        a.executor().executeAll(N1).orElseThrow().orThrow();

        Taken<Run> harvest = takeOne(nodeA);
        assertThat(harvest.row().incremental()).isTrue();
        StoredRun stored = runsOf(N1.id()).get(0);
        assertThat(stored.chain())
                .containsExactly("validate"); // INDEX_FRONTEND is false, DELETE_ACTION has no schedule
        finish(nodeA, new Verdict.Dead(harvest.claim(), "no answer"));

        assertThat(nodeA.turno().runs().rows().take(nodeA.turno().holder(), 10)).isEmpty();
        assertThat(runsOf(N1.id())).extracting(StoredRun::state).containsExactly(RunState.DEAD);
        assertThat(runsOf(N1.id()).get(0).chain()).containsExactly("validate");
    }

    @Test
    void a_moment_of_a_schedule_is_used_by_one_of_the_instances() {
        Optional<Instant> next = a.scheduler().schedule(N1.id(), "PT1H");
        assertThat(next).contains(Instant.parse("2026-03-02T11:00:00Z"));
        assertThat(a.scheduler().fire() + b.scheduler().fire()).isZero();

        time.forward(Duration.ofHours(1));
        assertThat(a.scheduler().fire() + b.scheduler().fire()).isEqualTo(1);
        assertThat(runsOf(N1.id())).hasSize(1);

        time.forward(Duration.ofHours(5)); // nobody was there: made up for once
        assertThat(b.scheduler().fire() + a.scheduler().fire()).isEqualTo(1);
        assertThat(runsOf(N1.id())).hasSize(2);
        assertThat(a.scheduler().list(Optional.empty(), 10))
                .containsExactly(
                        new ScheduledSubject(N1.id(), "PT1H", Optional.of(Instant.parse("2026-03-02T17:00:00Z"))));
    }

    @Test
    void a_moment_that_comes_while_schedules_are_looked_at_is_used_once() {
        Instant due = a.scheduler().schedule(N1.id(), "PT1H").orElseThrow();
        Ticking ticking = new Ticking(due.minusSeconds(60));
        try (Turno turno = Turno.open(
                database.dataSource(),
                TurnoOptions.defaults().withNode("node-c").withTime(ticking))) {
            Actions c = actions(turno);

            ticking.now = due.minusMillis(1);
            assertThat(c.scheduler().fire() + c.scheduler().fire()).isEqualTo(1);
        }
        assertThat(runsOf(N1.id())).hasSize(1);
    }

    @Test
    void a_moment_that_is_used_while_its_schedule_is_set_again_is_not_used_again() {
        Instant due = a.scheduler().schedule(N1.id(), "PT1H").orElseThrow();
        Ticking ticking = new Ticking(due.minusSeconds(60));
        try (Turno turno = Turno.open(
                database.dataSource(),
                TurnoOptions.defaults().withNode("node-c").withTime(ticking))) {
            Actions c = actions(turno);
            time.forward(Duration.ofHours(1));

            ticking.now = due.minusMillis(1);
            ticking.afterTheFirst = () -> assertThat(a.scheduler().fire()).isEqualTo(1);
            c.scheduler().schedule(N1.id(), "PT1H");
        }

        assertThat(a.scheduler().fire()).isZero();
        assertThat(runsOf(N1.id())).hasSize(1);
        assertThat(a.scheduler().list(Optional.empty(), 1).get(0).nextAt()).contains(due.plus(Duration.ofHours(1)));
    }

    /** Each statement comes a little later than the one before it. */
    private static final class Ticking implements Time {

        private volatile Instant now;
        private volatile Runnable afterTheFirst = () -> {};

        Ticking(Instant start) {
            this.now = start;
        }

        @Override
        public Optional<Instant> now() {
            Instant before = now;
            now = now.plusMillis(1);
            Runnable meanwhile = afterTheFirst;
            afterTheFirst = () -> {};
            meanwhile.run();
            return Optional.of(before);
        }

        @Override
        public long nanos() {
            return 0;
        }
    }

    @Test
    void a_moment_that_is_due_waits_until_the_actions_are_registered() throws Exception {
        a.scheduler().schedule(N1.id(), "P1D"); // long ago, by the database's clock
        try (Turno turno =
                Turno.start(database.dataSource(), TurnoOptions.defaults().withNode("node-c"))) {
            Actions actions = turno.actions(ZoneId.of("Europe/Berlin"), this::subject);
            Thread.sleep(A_WHILE_MS); // as when an application starts slowly

            register(turno, actions);
            turno.work(actions);
            turno.work(actions); // again after a restart of the application's life cycle

            await().atMost(SOON).untilAsserted(() -> assertThat(runsOf(N1.id())).hasSize(1));
        }
    }

    @Test
    void a_subject_that_fails_again_and_again_is_tried_less_and_less_often_and_keeps_nobody_waiting() {
        List<Duration> pauses = new CopyOnWriteArrayList<>();
        a.scheduler().schedule("BAD::1", "PT1H");
        a.scheduler().schedule(N1.id(), "PT1H");
        TurnoOptions watched = TurnoOptions.defaults().withNode("node-c").withWatcher(event -> {
            if (event instanceof WorkEvent.Trouble trouble && trouble.who().equals("schedule of BAD::1")) {
                pauses.add(trouble.pause());
            }
        });

        try (Turno turno = Turno.start(database.dataSource(), watched)) {
            turno.work(actions(turno));

            await().atMost(SOON).until(() -> pauses.size() >= 3);
            await().atMost(SOON).untilAsserted(() -> assertThat(runsOf(N1.id())).hasSize(1));
        }
        assertThat(pauses.subList(0, 3)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void a_schedule_that_is_set_again_as_it_was_keeps_the_moment_that_is_due() {
        a.scheduler().schedule(N1.id(), "PT1H");
        time.forward(Duration.ofMinutes(61));

        b.scheduler().schedule(N1.id(), "PT1H");
        assertThat(b.scheduler().fire()).isEqualTo(1);

        time.forward(Duration.ofHours(1));
        b.scheduler().schedule(N1.id(), "PT2H"); // another one: from now on
        assertThat(b.scheduler().fire()).isZero();
    }

    @Test
    void schedules_that_fail_do_not_keep_the_others_from_their_moments() {
        for (int i = 0; i < 120; i++) {
            a.scheduler().schedule("BAD" + i, "PT1H");
        }
        a.scheduler().schedule(N1.id(), "PT1H");
        time.forward(Duration.ofHours(1));

        assertThat(a.scheduler().fire()).isEqualTo(1);
        assertThat(runsOf(N1.id())).hasSize(1);
    }

    @Test
    void a_subject_that_ends_in_an_error_does_not_keep_the_others_from_their_moments_and_is_left_alone_for_a_while() {
        List<WorkEvent.Trouble> troubles = new CopyOnWriteArrayList<>();
        Node watched = cluster.node(
                "node-c", TurnoOptions.defaults().withLease(Cluster.LEASE).withWatcher(event -> {
                    if (event instanceof WorkEvent.Trouble trouble) {
                        troubles.add(trouble);
                    }
                }));
        Actions c = actions(watched.turno());
        c.scheduler().schedule("BROKEN", "PT1H");
        c.scheduler().schedule(N1.id(), "PT1H");
        time.forward(Duration.ofHours(1));

        assertThat(c.scheduler().fire()).isEqualTo(1);
        assertThat(runsOf(N1.id())).hasSize(1);
        assertThat(troubles).singleElement().satisfies(trouble -> {
            assertThat(trouble.who()).isEqualTo("schedule of BROKEN");
            assertThat(trouble.pause()).isPositive();
        });
    }

    @Test
    void a_schedule_may_be_a_cron_line_in_the_zone_of_the_actions() {
        Instant next = a.scheduler().schedule(N1.id(), "30 2 * * *").orElseThrow();
        assertThat(next.atZone(ZoneId.of("Europe/Berlin")).toLocalTime()).isEqualTo(LocalTime.of(2, 30));
        assertThatThrownBy(() -> a.scheduler().schedule(N1.id(), "30 25 * * *"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("25");
    }

    @Test
    void a_schedule_is_changed_and_removed_and_one_that_cannot_be_read_is_refused() {
        a.scheduler().schedule(N1.id(), "PT1H");
        b.scheduler().schedule(N1.id(), "PT30M");
        assertThat(a.scheduler().list(Optional.empty(), 10)).hasSize(1);
        assertThatThrownBy(() -> a.scheduler().schedule(N1.id(), "now and then"))
                .hasMessageContaining("now and then");

        assertThat(a.scheduler().unschedule(N1.id())).isTrue();
        assertThat(b.scheduler().unschedule(N1.id())).isFalse();
        time.forward(Duration.ofHours(1));
        assertThat(a.scheduler().fire()).isZero();
    }

    @Test
    void a_schedule_that_meets_a_full_queue_says_so_and_keeps_its_next_moment() {
        a.scheduler().schedule(N1.id(), "PT1H");
        nodeA.turno().runs().limitQueued(1);
        assertThat(a.executor().execute("DELETE_ACTION", N1)).isInstanceOf(SubmitOutcome.Queued.class);

        time.forward(Duration.ofHours(1));

        assertThat(a.scheduler().fire()).isZero();
        assertThat(nodeA.turno().counters().count("turno.schedules.refused")).isEqualTo(1);
        assertThat(a.scheduler().list(Optional.empty(), 1).get(0).nextAt())
                .contains(Instant.parse("2026-03-02T12:00:00Z"));
    }

    @Test
    void a_subject_is_killed_and_unqueued() {
        a.executor().execute("HARVESTING_ACTION", N1).orThrow();
        a.executor().execute("VALIDATION_ACTION", N1).orThrow();
        Taken<Run> running = takeOne(nodeA);

        assertThat(b.executor().kill(N1.id())).isEqualTo(1);
        assertThat(b.executor().unqueue(N1.id())).isEqualTo(1);

        assertThat(nodeA.turno().runs().find(running.claim().id()).orElseThrow().stopAt())
                .isPresent();
        assertThat(nodeA.turno().runs().counts().cancelled()).isEqualTo(1);
    }

    @Test
    void a_run_that_waits_for_its_next_try_and_the_next_link_of_a_chain_are_killed_too() {
        long tried = a.executor().execute("HARVESTING_ACTION", N1).orThrow();
        finish(nodeA, new Verdict.Again(takeOne(nodeA).claim(), Duration.ofHours(1), "no answer"));
        assertThat(b.executor().kill(N1.id())).isEqualTo(1);
        assertThat(nodeA.turno().runs().find(tried).orElseThrow().state()).isEqualTo(RunState.STOPPED);

        a.executor().execute("INDEXING_ACTION", N1).orThrow();
        finish(nodeA, new Verdict.Done(takeOne(nodeA).claim()));
        assertThat(b.executor().kill(N1.id())).isEqualTo(1);
        assertThat(runsOf(N1.id()).get(0).state()).isEqualTo(RunState.STOPPED);
    }

    @Test
    void a_run_that_comes_to_its_end_although_it_was_killed_does_not_begin_the_next_link() {
        long index = a.executor().execute("INDEXING_ACTION", N1).orThrow();
        Taken<Run> running = takeOne(nodeA);

        b.executor().kill(N1.id());
        finish(nodeA, new Verdict.Done(running.claim()));

        assertThat(runsOf(N1.id())).extracting(StoredRun::state).containsExactly(RunState.STOPPED);
        nodeA.turno().runs().resume(index).orThrow();
        finish(nodeA, new Verdict.Done(takeOne(nodeA).claim()));
        assertThat(takeOne(nodeA).row().job()).isEqualTo("sweep");
    }
}
