package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.TurnoOptions;
import dev.turno.claim.Claim;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.task.Crons;
import dev.turno.task.NewSchedule;
import dev.turno.task.NewSchedule.Missed;
import dev.turno.task.StoredSchedule;
import dev.turno.task.StoredTask;
import dev.turno.task.Task;
import dev.turno.task.TaskOptions;
import dev.turno.task.TaskState;
import dev.turno.task.Tasks;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.node.Cluster;
import dev.turno.testkit.node.Node;
import dev.turno.testkit.node.SettableTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
class CronContractTest {

    private static final String REPORT = "report";
    private static final TaskOptions OPTIONS = TaskOptions.defaults();
    private static final Duration AHEAD = Duration.ofMinutes(6);
    private static final NewSchedule HOURLY = NewSchedule.of("hourly", "0 * * * *", "UTC", REPORT, "{}");

    private final FreshDatabase database;
    private final Cluster cluster;
    private final SettableTime time; // starts at 2026-03-02T10:00:00Z
    private final Node nodeA;
    private final Node nodeB;
    private final Crons crons;

    CronContractTest(FreshDatabase database) {
        this.database = database;
        this.cluster = Cluster.stepwise(database);
        this.time = cluster.time();
        this.nodeA = cluster.node("node-a");
        this.nodeB = cluster.node("node-b");
        this.crons = nodeA.turno().tasks().crons();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private int plan() {
        return nodeB.turno().tasks().crons().plan(AHEAD) + crons.plan(AHEAD);
    }

    private List<String> planned() {
        List<String> instants = new ArrayList<>();
        nodeA
                .turno()
                .tasks()
                .list(REPORT, TaskState.PENDING, Optional.empty(), Optional.empty(), 1_000)
                .items()
                .stream()
                .map(StoredTask::at)
                .map(Instant::toString)
                .forEach(instants::add);
        return instants;
    }

    private List<Taken<Task>> run() {
        var rows = nodeA.turno().tasks().rows(REPORT, OPTIONS);
        List<Taken<Task>> taken = rows.take(nodeA.turno().holder(), 1_000);
        taken.forEach(one -> rows.finish(nodeA.turno().holder(), List.of(new Verdict.Done(one.claim()))));
        return taken;
    }

    private StoredSchedule stored() {
        return crons.list().get(0);
    }

    @Test
    void runs_become_tasks_ahead_of_their_instant_and_once() {
        assertThat(crons.define(HOURLY)).isTrue();
        assertThat(plan()).isZero();

        time.setTo(Instant.parse("2026-03-02T10:54:00Z"));
        assertThat(plan()).isEqualTo(1);
        assertThat(plan()).isZero();

        assertThat(planned()).containsExactly("2026-03-02T11:00:00Z");
        assertThat(run()).isEmpty();
        time.setTo(Instant.parse("2026-03-02T11:00:00Z"));
        assertThat(run()).hasSize(1);
        assertThat(stored().last()).contains("2026-03-02T11:00:00Z");
        assertThat(stored().next()).contains(Instant.parse("2026-03-02T12:00:00Z"));
    }

    @Test
    void a_schedule_that_moves_to_another_zone_runs_there_at_the_same_local_time_of_the_same_day() {
        crons.define(NewSchedule.of("nightly", "30 12 * * *", "Europe/Berlin", REPORT, "{}"));
        time.setTo(Instant.parse("2026-03-02T11:30:00Z"));
        plan();
        assertThat(run()).hasSize(1);

        crons.define(NewSchedule.of("nightly", "30 12 * * *", "America/New_York", REPORT, "{}"));
        time.setTo(Instant.parse("2026-03-02T17:30:00Z"));
        plan();

        assertThat(run()).extracting(one -> one.row().at()).containsExactly(Instant.parse("2026-03-02T17:30:00Z"));
    }

    @Test
    void defining_the_same_schedule_again_changes_nothing() {
        crons.define(HOURLY);
        time.setTo(Instant.parse("2026-03-02T10:58:00Z"));
        plan();

        assertThat(nodeB.turno().tasks().crons().define(HOURLY)).isFalse();

        assertThat(plan()).isZero();
        assertThat(planned()).containsExactly("2026-03-02T11:00:00Z");
    }

    @Test
    void a_changed_line_withdraws_what_was_planned() {
        crons.define(HOURLY);
        time.setTo(Instant.parse("2026-03-02T10:58:00Z"));
        plan();

        assertThat(crons.define(NewSchedule.of("hourly", "3 * * * *", "UTC", REPORT, "{}")))
                .isTrue();
        plan();

        assertThat(planned()).containsExactly("2026-03-02T11:03:00Z");
    }

    @Test
    void a_paused_schedule_rests_and_what_fell_into_the_pause_is_not_made_up_for() {
        crons.define(HOURLY);
        time.setTo(Instant.parse("2026-03-02T10:58:00Z"));
        plan();

        assertThat(crons.pause("hourly")).isTrue();
        assertThat(planned()).isEmpty();
        assertThat(crons.nextRuns("hourly", 3)).contains(List.of());
        time.setTo(Instant.parse("2026-03-02T13:58:00Z"));
        assertThat(plan()).isZero();
        assertThat(crons.resume("hourly")).isTrue();
        plan();

        assertThat(planned()).containsExactly("2026-03-02T14:00:00Z");
    }

    @Test
    void missed_runs_are_skipped_or_made_up_for_once_or_all_with_a_limit() {
        crons.define(schedule("skip").ifMissed(Missed.SKIP));
        crons.define(schedule("once").ifMissed(Missed.ONCE));
        crons.define(schedule("all").ifMissedAll(3));
        plan();

        time.setTo(Instant.parse("2026-03-02T15:30:00Z"));
        plan();

        assertThat(run().stream().map(one -> one.row().key().orElseThrow()))
                .containsExactlyInAnyOrder(
                        "once@2026-03-02T15:00:00Z[UTC]",
                        "all@2026-03-02T13:00:00Z[UTC]",
                        "all@2026-03-02T14:00:00Z[UTC]",
                        "all@2026-03-02T15:00:00Z[UTC]");
        assertThat(plan()).isZero();
        time.setTo(Instant.parse("2026-03-02T15:59:00Z"));
        assertThat(plan()).isEqualTo(3);
    }

    @Test
    void runs_that_were_planned_while_no_handler_lived_are_missed_like_those_that_were_not() {
        crons.define(schedule("skip").ifMissed(Missed.SKIP));
        crons.define(schedule("once").ifMissed(Missed.ONCE));
        crons.define(schedule("all").ifMissedAll(3));

        for (int hour = 10; hour < 15; hour++) {
            time.setTo(Instant.parse("2026-03-02T" + hour + ":58:00Z"));
            plan();
        }
        time.setTo(Instant.parse("2026-03-02T15:30:00Z"));
        plan();

        assertThat(run().stream().map(one -> one.row().key().orElseThrow()))
                .containsExactlyInAnyOrder(
                        "once@2026-03-02T15:00:00Z[UTC]",
                        "all@2026-03-02T13:00:00Z[UTC]",
                        "all@2026-03-02T14:00:00Z[UTC]",
                        "all@2026-03-02T15:00:00Z[UTC]");
    }

    @Test
    void a_missed_run_that_begins_just_before_it_is_given_up_keeps_its_retry_or_its_death() throws Exception {
        crons.define(schedule("retried").ifMissed(Missed.SKIP));
        crons.define(schedule("rejected").ifMissed(Missed.SKIP));
        crons.define(schedule("given-back").ifMissed(Missed.SKIP));
        time.setTo(Instant.parse("2026-03-02T10:58:00Z"));
        plan();
        time.setTo(Instant.parse("2026-03-02T11:02:00Z"));
        TrickySource way = new TrickySource(database.dataSource());
        Node slow = cluster.nodeOn(way.source(), "slow", TurnoOptions.defaults());

        TrickySource.Halt seen = way.haltAfter("s.missed_limit");
        CompletableFuture<Integer> planning =
                CompletableFuture.supplyAsync(() -> slow.turno().tasks().crons().plan(AHEAD));
        seen.awaitSomebody();
        try {
            var rows = nodeA.turno().tasks().rows(REPORT, OPTIONS);
            HolderId holder = nodeA.turno().holder();
            List<Taken<Task>> taken = rows.take(holder, 3);
            rows.finish(holder, List.of(new Verdict.Again(claimOf("retried", taken), AHEAD, "busy")));
            rows.finish(holder, List.of(new Verdict.Dead(claimOf("rejected", taken), "hopeless")));
            rows.giveBack(holder, List.of(claimOf("given-back", taken)));
        } finally {
            seen.goOn();
        }
        planning.get(60, TimeUnit.SECONDS);

        assertThat(run("retried").state()).isEqualTo(TaskState.PENDING);
        assertThat(run("rejected").state()).isEqualTo(TaskState.DEAD);
        assertThat(run("given-back").state()).isEqualTo(TaskState.CANCELLED);
    }

    private StoredTask run(String schedule) {
        return nodeA.turno().tasks().find(REPORT, key(schedule)).orElseThrow();
    }

    private static Claim claimOf(String schedule, List<Taken<Task>> taken) {
        return taken.stream()
                .filter(one -> one.row().key().equals(Optional.of(key(schedule))))
                .findFirst()
                .orElseThrow()
                .claim();
    }

    private static String key(String schedule) {
        return schedule + "@2026-03-02T11:00:00Z[UTC]";
    }

    @Test
    void missed_runs_of_a_schedule_that_are_to_be_made_up_for_do_not_hide_those_of_others() {
        crons.define(NewSchedule.of("busy", "* * * * * *", "UTC", REPORT, "{}").ifMissedAll(10_000));
        time.setTo(Instant.parse("2026-03-02T13:00:00Z"));
        plan();
        crons.define(schedule("skip").ifMissed(Missed.SKIP));
        time.setTo(Instant.parse("2026-03-02T13:54:00Z"));
        plan();

        time.setTo(Instant.parse("2026-03-02T14:02:00Z"));
        plan();

        assertThat(nodeA.turno()
                        .tasks()
                        .find(REPORT, "skip@2026-03-02T14:00:00Z[UTC]")
                        .map(StoredTask::state))
                .contains(TaskState.CANCELLED);
    }

    @Test
    void of_runs_that_were_given_up_because_nobody_handles_them_only_the_newest_stay() {
        Tasks tasks = nodeA.turno().tasks();
        long byHand = tasks.schedule(REPORT, "{}", Instant.EPOCH).id();
        tasks.cancel(byHand);
        giveUpRuns(1_500);
        Instant newest = cancelled(1).get(0).at();

        prune();

        assertThat(cancelledCount()).isEqualTo(1_001);
        assertThat(tasks.find(byHand)).isPresent();
        assertThat(cancelled(1).get(0).at()).isEqualTo(newest);
    }

    @Test
    void runs_that_were_given_up_stay_while_somebody_handles_their_type_who_knows_how_long() {
        giveUpRuns(1_100);
        nodeB.turno().tasks().canRun(REPORT, nodeB.turno().holder());
        int before = cancelledCount();

        prune();

        assertThat(cancelledCount()).isEqualTo(before).isGreaterThanOrEqualTo(1_100);
    }

    private void giveUpRuns(int atLeast) {
        crons.define(
                NewSchedule.of("secondly", "* * * * * *", "UTC", REPORT, "{}").ifMissed(Missed.SKIP));
        while (cancelledCount() < atLeast) {
            plan();
            time.forward(AHEAD);
        }
    }

    private int cancelledCount() {
        return nodeA.turno()
                .tasks()
                .figures(REPORT)
                .map(figures -> figures.byState().getOrDefault(TaskState.CANCELLED, 0))
                .orElse(0);
    }

    private List<StoredTask> cancelled(int limit) {
        return nodeA.turno()
                .tasks()
                .list(REPORT, TaskState.CANCELLED, Optional.empty(), Optional.empty(), limit)
                .items();
    }

    private void prune() {
        while (nodeA.turno().tasks().prune()) {
            // until nothing is left to be removed
        }
    }

    @Test
    void a_pause_withdraws_what_is_overdue_too_but_not_what_somebody_asked_for() {
        crons.define(HOURLY);
        time.setTo(Instant.parse("2026-03-02T10:58:00Z"));
        plan();
        time.setTo(Instant.parse("2026-03-02T11:00:20Z"));
        long asked = crons.runNow("hourly").orElseThrow();

        crons.pause("hourly");

        assertThat(run()).extracting(one -> one.row().id()).containsExactly(asked);
    }

    private static NewSchedule schedule(String name) {
        return NewSchedule.of(name, "0 * * * *", "UTC", REPORT, "{}");
    }

    @Test
    void a_run_that_is_a_little_late_is_not_missed() {
        crons.define(schedule("skip").ifMissed(Missed.SKIP));
        plan();

        time.setTo(Instant.parse("2026-03-02T11:00:30Z"));

        assertThat(plan()).isEqualTo(1);
        assertThat(run()).hasSize(1);
    }

    @Test
    void a_run_beside_the_plan_changes_nothing_of_the_plan() {
        crons.define(HOURLY);

        long id = crons.runNow("hourly").orElseThrow();

        assertThat(run()).extracting(one -> one.row().id()).containsExactly(id);
        assertThat(nodeA.turno().tasks().find(id).orElseThrow().schedule()).contains("hourly");
        time.setTo(Instant.parse("2026-03-02T10:58:00Z"));
        assertThat(plan()).isEqualTo(1);
    }

    @Test
    void the_cursor_outlives_the_tasks_and_a_schedule_defined_anew_does_not_repeat_what_ran() {
        crons.define(HOURLY);
        time.setTo(Instant.parse("2026-03-02T10:58:00Z"));
        plan();
        time.setTo(Instant.parse("2026-03-02T11:00:00Z"));
        assertThat(run()).hasSize(1);

        assertThat(crons.remove("hourly")).isTrue();
        crons.define(HOURLY);

        assertThat(plan()).isZero();
        assertThat(run()).isEmpty();
    }

    @Test
    void unknown_schedules_and_unusable_ones_are_told() {
        assertThat(crons.pause("x")).isFalse();
        assertThat(crons.resume("x")).isFalse();
        assertThat(crons.remove("x")).isFalse();
        assertThat(crons.runNow("x")).isEmpty();
        assertThat(crons.nextRuns("x", 1)).isEmpty();
        assertThatThrownBy(() -> NewSchedule.of("x", "* * * *", "UTC", REPORT, "{}"))
                .hasMessageContaining("4 fields");
        assertThatThrownBy(() -> NewSchedule.of("x", "61 * * * *", "UTC", REPORT, "{}"))
                .hasMessageContaining("position 1");
        assertThatThrownBy(() -> NewSchedule.of("x", "* * * * *", "Mars/Olympus", REPORT, "{}"))
                .hasMessageContaining("Mars/Olympus");
        assertThatThrownBy(() -> HOURLY.ifMissedAll(0)).hasMessageContaining("1 to 10000");
    }

    @Test
    void the_next_runs_are_told_in_words() {
        crons.define(NewSchedule.of("nightly", "30 2 * * *", "Europe/Berlin", REPORT, "{}"));
        time.setTo(Instant.parse("2026-03-28T12:00:00Z"));

        assertThat(crons.nextRuns("nightly", 1).orElseThrow().get(0).words())
                .isEqualTo("Sunday, 29 March 2026, 03:00:00 Europe/Berlin (02:30:00 does not exist on that day)");
    }
}
