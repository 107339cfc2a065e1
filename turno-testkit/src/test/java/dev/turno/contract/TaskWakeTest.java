package dev.turno.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.claim.Verdict;
import dev.turno.holder.Heartbeat;
import dev.turno.sql.Database;
import dev.turno.task.NewSchedule;
import dev.turno.task.NewTask;
import dev.turno.task.TaskOptions;
import dev.turno.task.Tasks;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.watch.Watcher;
import dev.turno.worker.Bell;
import dev.turno.worker.Deadlines;
import dev.turno.worker.Wakeups;
import dev.turno.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who is told when a task changes, in a process that handles none. */
@OnEveryDatabase
class TaskWakeTest {

    private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

    private final FreshDatabase fresh;
    private final Turno turno;
    private final Tasks tasks;
    private final Bell reports;
    private final Bell letters;

    TaskWakeTest(FreshDatabase fresh) {
        this.fresh = fresh;
        TurnoOptions options = TurnoOptions.defaults();
        this.turno = Turno.open(fresh.dataSource(), options);
        Watcher nobody = event -> {};
        Wakeups wakeups = new Wakeups();
        this.reports = wakeups.bell("task/report");
        this.letters = wakeups.bell("task/letter");
        Database database = Database.open(fresh.dataSource(), options.time(), Duration.ofSeconds(10));
        var heartbeat =
                new Heartbeat(database, options.namespace(), options.node(), options.lease(), options.ids(), nobody);
        this.tasks = new Tasks(
                database,
                options.namespace(),
                new Worker.Surroundings(heartbeat, wakeups, new Deadlines(), options.time(), nobody, true));
    }

    @AfterEach
    void close() {
        turno.close();
    }

    @Test
    void those_who_handle_its_type_are_woken_when_a_task_is_moved() throws Exception {
        long report = tasks.schedule("report", "{}", LATER).id();

        tasks.reschedule(report, LATER.minusSeconds(1));
        onlyReportsAreWoken();
        tasks.runNow(report);
        onlyReportsAreWoken();
        tasks.reschedule(-1, LATER);
        assertThat(isRung(reports)).isFalse();
    }

    @Test
    void those_who_handle_its_type_are_woken_when_a_task_is_revived() throws Exception {
        long report = tasks.schedule("report", "{}", Instant.EPOCH).id();
        var rows = tasks.rows("report", TaskOptions.defaults());
        rows.take(turno.holder(), 1)
                .forEach(one -> rows.finish(turno.holder(), List.of(new Verdict.Dead(one.claim(), "hopeless"))));
        isRung(reports);

        tasks.revive(report);

        onlyReportsAreWoken();
    }

    @Test
    void those_who_handle_its_type_are_woken_when_a_task_is_cancelled_that_may_stand_in_the_way_of_its_lane()
            throws Exception {
        long first =
                tasks.schedule(NewTask.at("report", "{}", LATER).inLane("ana")).id();

        tasks.cancel(first);

        onlyReportsAreWoken();
    }

    @Test
    void those_who_handle_its_type_are_woken_when_a_task_is_replaced_that_may_stand_in_the_way_of_its_lane()
            throws Exception {
        NewTask monthly = NewTask.at("report", "{}", LATER).withKey("monthly", NewTask.IfThere.REPLACE);
        tasks.schedule(monthly.inLane("ana"));
        assertThat(isRung(reports)).isFalse(); // its instant is far off

        tasks.schedule(monthly.inLane("eva"));

        onlyReportsAreWoken();
    }

    @Test
    void those_who_handle_its_type_are_woken_when_a_task_is_changed_in_a_callers_transaction() throws Exception {
        long report = tasks.schedule("report", "{}", LATER).id();

        inTransaction(connection -> tasks.reschedule(connection, report, LATER.minusSeconds(1)));
        onlyReportsAreWoken();
        Thread.sleep(1_000); // who looks often already is not woken again
        inTransaction(connection -> tasks.cancel(connection, report));
        onlyReportsAreWoken();
    }

    @Test
    void those_who_handle_its_type_are_woken_when_a_cron_run_is_asked_for_now() throws Exception {
        tasks.crons().define(NewSchedule.of("yearly", "0 0 1 1 *", "UTC", "report", "{}"));

        tasks.crons().runNow("yearly");

        onlyReportsAreWoken();
    }

    @FunctionalInterface
    private interface Change {
        void on(Connection connection) throws SQLException;
    }

    private void inTransaction(Change change) throws SQLException {
        try (Connection connection = fresh.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            change.on(connection);
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private void onlyReportsAreWoken() throws InterruptedException {
        assertThat(isRung(reports)).isTrue();
        assertThat(isRung(letters)).isFalse();
    }

    private static boolean isRung(Bell bell) throws InterruptedException {
        return bell.await(Duration.ZERO);
    }
}
