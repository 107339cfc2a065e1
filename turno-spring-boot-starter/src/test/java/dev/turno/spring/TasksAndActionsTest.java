package dev.turno.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.Turno;
import dev.turno.action.Action;
import dev.turno.action.Actions;
import dev.turno.action.Subject;
import dev.turno.claim.Turn;
import dev.turno.run.Job;
import dev.turno.run.RunState;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.task.NewTask;
import dev.turno.task.Task;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class TasksAndActionsTest {

    record Reminder(String who) {}

    static class Handlers {

        final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

        @TaskHandler("reminder")
        void remind(Reminder reminder, Task task, Turn turn) {
            seen.add(reminder.who() + " " + task.type() + " " + turn.attempt());
        }

        @TurnoCron(value = "${report.cron}", name = "report", zone = "Europe/Berlin")
        void report() {
            seen.add("report");
        }

        String next() throws InterruptedException {
            String next = seen.poll(30, TimeUnit.SECONDS);
            return next == null ? "nothing came" : next;
        }
    }

    private final ApplicationContextRunner application =
            Applications.onH2().withPropertyValues("report.cron=30 2 * * *");

    @Test
    void a_task_is_handled_as_its_type() {
        application.withBean(Handlers.class).run(context -> {
            TurnoTemplate template = context.getBean(TurnoTemplate.class);

            template.schedule(NewTask.in("reminder", template.text(new Reminder("Ada")), Duration.ofMillis(50)));

            assertThat(context.getBean(Handlers.class).next()).isEqualTo("Ada reminder 1");
        });
    }

    @Test
    void a_task_that_was_scheduled_in_a_transaction_goes_with_it() {
        application.withBean(Handlers.class).run(context -> {
            TurnoTemplate template = context.getBean(TurnoTemplate.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

            transaction.executeWithoutResult(status -> {
                template.schedule(NewTask.in("reminder", "{\"who\":\"Bob\"}", Duration.ZERO));
                status.setRollbackOnly();
            });
            transaction.executeWithoutResult(
                    status -> template.schedule(NewTask.in("reminder", "{\"who\":\"Ada\"}", Duration.ZERO)));

            assertThat(context.getBean(Handlers.class).next()).startsWith("Ada");
            assertThat(context.getBean(Handlers.class).seen).isEmpty();
        });
    }

    @Test
    void a_cron_line_becomes_a_schedule_that_runs() {
        application.withBean(Handlers.class).run(context -> {
            Turno turno = context.getBean(Turno.class);
            assertThat(turno.tasks().crons().list())
                    .singleElement()
                    .satisfies(schedule ->
                            assertThat(schedule.toString()).contains("report", "30 2 * * *", "Europe/Berlin"));

            turno.tasks().crons().runNow("report");

            assertThat(context.getBean(Handlers.class).next()).isEqualTo("report");
        });
    }

    @Test
    void a_cron_line_that_cannot_be_read_is_told_at_start_up() {
        application
                .withBean(Handlers.class)
                .withPropertyValues("report.cron=99 * * * *")
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(StartException.class)
                        .hasMessageContaining("The @TurnoCron of")
                        .hasMessageContaining("Handlers.report"));
    }

    @Test
    void an_application_that_starts_again_handles_its_tasks_again() {
        application.withBean(Handlers.class).run(context -> {
            context.getSourceApplicationContext().stop();
            context.getSourceApplicationContext().start();

            context.getBean(TurnoTemplate.class)
                    .schedule(NewTask.in("reminder", "{\"who\":\"Ada\"}", Duration.ofMillis(50)));

            assertThat(context.getBean(Handlers.class).next()).startsWith("Ada");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Jobs {

        final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

        private Job<String> job(String name) {
            return Job.of(
                    name,
                    Source.iterator(run -> List.of("1", "2").iterator()),
                    Step.each((item, page) ->
                            seen.add(name + item + page.run().subject().orElse(""))));
        }

        @Bean
        @WorkerAction(value = "HARVESTING_ACTION", properties = "INDEX_FRONTEND", runOnSchedule = true)
        Job<String> harvest() {
            return job("harvest");
        }

        @Bean
        @WorkerAction("HARVESTING_ACTION")
        Job<String> validate() {
            return job("validate");
        }

        @Bean
        Job<String> clean() {
            return job("clean");
        }
    }

    @Test
    void jobs_become_actions_by_annotation_and_by_properties_and_run() {
        application
                .withUserConfiguration(Jobs.class)
                .withPropertyValues(
                        "turno.actions[CLEAN_ACTION].jobs=clean,validate",
                        "turno.actions[CLEAN_ACTION].incremental=true",
                        "taskmanager.concurrent.tasks=3",
                        "taskmanager.max_queued.tasks=9")
                .run(context -> {
                    Actions actions = context.getBean(Actions.class);
                    Runs runs = context.getBean(Runs.class);
                    Action clean = actions.registry().find("CLEAN_ACTION").orElseThrow();
                    Action harvesting =
                            actions.registry().find("HARVESTING_ACTION").orElseThrow();
                    assertThat(clean.jobs()).containsExactly("clean", "validate");
                    assertThat(clean.incremental()).isTrue();
                    assertThat(harvesting.jobs()).containsExactly("harvest", "validate");
                    assertThat(harvesting.runOnSchedule()).isTrue();
                    assertThat(runs.limits().perNode()).isEqualTo(3);
                    assertThat(runs.limits().maxQueued()).isEqualTo(9);

                    long first = actions.executor()
                            .execute("HARVESTING_ACTION", Subject.of("N1"))
                            .orThrow();

                    await().until(() -> context.getBean(Jobs.class).seen.size() == 4);
                    assertThat(context.getBean(Jobs.class).seen)
                            .containsExactly("harvest1N1", "harvest2N1", "validate1N1", "validate2N1");
                    await().until(() -> runs.find(first).orElseThrow().state() == RunState.DONE);
                });
    }

    @Test
    void schedules_of_actions_are_kept() {
        application
                .withUserConfiguration(Jobs.class)
                .withPropertyValues(
                        "turno.actions[CLEAN_ACTION].jobs=clean",
                        "turno.actions[CLEAN_ACTION].always-run-on-schedule=true")
                .run(context -> {
                    context.getBean(Actions.class).scheduler().schedule("N7", "PT1S");

                    assertThat(context.getBean(Jobs.class).seen.poll(30, TimeUnit.SECONDS))
                            .isEqualTo("clean1N7");
                });
    }

    @Test
    void an_action_that_names_an_unknown_job_is_told_at_start_up() {
        application
                .withUserConfiguration(Jobs.class)
                .withPropertyValues("turno.actions[CLEAN_ACTION].jobs=claen")
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(StartException.class)
                        .hasMessageContaining("names the job 'claen'"));
    }
}
