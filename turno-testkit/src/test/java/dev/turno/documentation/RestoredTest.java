package dev.turno.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.BufferOptions;
import dev.turno.buffer.Buffers;
import dev.turno.claim.Result;
import dev.turno.inbox.InboxOptions;
import dev.turno.lock.LockTerms;
import dev.turno.task.NewTask;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.OnDatabase;
import dev.turno.testkit.database.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/operating.md says to run after an older backup was restored. */
@OnDatabase(TestDatabase.POSTGRESQL)
class RestoredTest {

    private static final Pattern SQL = Pattern.compile("```sql restored\n(.*?)```", Pattern.DOTALL);
    private static final long FAR = 1_000_000;

    private final FreshDatabase database;

    RestoredTest(FreshDatabase database) {
        this.database = database;
    }

    /** What systems outside are shown of one piece of work of each kind. */
    private record Shown(long message, String task, long taskFence, String burst, long burstFence, long lock) {

        static long number(String key) {
            Matcher last = Pattern.compile(".*?(\\d+)$").matcher(key);
            assertThat(last.matches()).as(key).isTrue();
            return Long.parseLong(last.group(1));
        }
    }

    @Test
    void keys_and_fences_of_what_follows_are_beyond_those_that_were_lost_with_the_newest_state() throws Exception {
        Shown before = workOn();

        restore();
        Shown after = workOn();

        assertThat(after.message()).isGreaterThan(0);
        assertThat(after.taskFence()).isGreaterThan(0);
        assertThat(Shown.number(after.task())).isGreaterThan(Shown.number(before.task()) + FAR);
        assertThat(Shown.number(after.burst())).isGreaterThan(Shown.number(before.burst()) + FAR);
        assertThat(after.burstFence()).isGreaterThan(before.burstFence() + FAR);
        assertThat(after.lock()).isGreaterThan(before.lock() + FAR);
    }

    @Test
    void what_waited_is_handled_under_a_higher_fence_and_no_slot_is_taken_for_busy_or_given_twice() throws Exception {
        try (Turno turno = start()) {
            turno.inbox("limited", InboxOptions.of(o -> o.concurrency(1))).put("waits", "{}");
        }

        restore();

        BlockingQueue<Long> fences = new LinkedBlockingQueue<>();
        try (Turno turno = start()) {
            turno.handle(turno.inbox("limited", InboxOptions.of(o -> o.concurrency(1))), (message, turn) -> {
                fences.add(turn.fence());
                return Result.done();
            });
            assertThat(next(fences)).isGreaterThan(FAR);
        }
    }

    private Turno start() {
        return Turno.start(database.dataSource(), TurnoOptions.defaults());
    }

    private void restore() throws Exception {
        Matcher block = SQL.matcher(Page.of("docs/operating.md").text());
        assertThat(block.find()).isTrue();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(block.group(1));
        }
    }

    private Shown workOn() throws Exception {
        BlockingQueue<Long> fences = new LinkedBlockingQueue<>();
        BlockingQueue<String> keys = new LinkedBlockingQueue<>();
        try (Turno turno = start()) {
            turno.inbox("orders").put("order-" + System.nanoTime(), "{}");
            turno.handle("orders", (message, turn) -> {
                fences.add(turn.fence());
                return Result.done();
            });
            long message = next(fences);
            turno.handleTasks("reminder", (task, turn) -> {
                keys.add(turn.key());
                fences.add(turn.fence());
                return Result.done();
            });
            turno.tasks().schedule(NewTask.in("reminder", "Ada", Duration.ZERO));
            String task = next(keys);
            long taskFence = next(fences);
            Buffers chat = turno.buffers("chat", BufferOptions.of(o -> o.quiet(Duration.ofMillis(50))));
            turno.handle(chat, (burst, turn) -> {
                keys.add(turn.key());
                fences.add(turn.fence());
                return Result.done();
            });
            chat.add("ada", BufferMessage.of("hola"));
            String burst = next(keys);
            long burstFence = next(fences);
            turno.locks().whileHolding("report", LockTerms.of(t -> t.lease(Duration.ofSeconds(10))), lease -> {
                fences.add(lease.fence());
                return "written";
            });
            return new Shown(message, task, taskFence, burst, burstFence, next(fences));
        }
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(30, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }
}
