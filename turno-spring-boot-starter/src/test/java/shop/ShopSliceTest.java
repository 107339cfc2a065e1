package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.Turno;
import dev.turno.run.Job;
import dev.turno.run.RunRequest;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.spring.TurnoTemplate;
import dev.turno.spring.test.Settled;
import dev.turno.spring.test.TurnoTest;
import dev.turno.task.NewTask;
import java.time.Duration;
import java.util.Collections;
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
    private Reminders reminders;

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
    void a_task_that_is_due_is_waited_for_and_one_for_later_is_not() throws InterruptedException {
        turno.tasks().schedule(NewTask.in("reminder", "Ada", Duration.ZERO));
        turno.tasks().schedule(NewTask.in("reminder", "Bob", Duration.ofDays(1)));

        settled.await(Duration.ofSeconds(30));

        assertThat(reminders.reminded).containsExactly("Ada");
    }

    @Test
    void tasks_and_runs_that_are_not_settled_are_named() {
        long task = turno.tasks()
                .schedule(NewTask.in("nobodys", "{}", Duration.ZERO))
                .id();
        Runs runs = turno.runs()
                .add(Job.of(
                        "nobodys",
                        Source.iterator(turn -> Collections.emptyIterator()),
                        Step.each((item, page) -> {})));
        long run = runs.submit(RunRequest.of("nobodys")).orThrow();

        assertThatThrownBy(() -> settled.await(Duration.ofMillis(50)))
                .hasMessageContaining("task nobodys with 1 due and 0 DOING")
                .hasMessageContaining("runs with 1 PENDING and 0 DOING");
        turno.tasks().cancel(task);
        runs.cancel(run);
    }

    @Test
    void other_components_are_left_out() {
        assertThat(application.getBeansOfType(Unrelated.class)).isEmpty();
        assertThat(application.getBeansOfType(ShopApplication.class)).hasSize(1);
    }
}
