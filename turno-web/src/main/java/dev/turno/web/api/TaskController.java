package dev.turno.web.api;

import dev.turno.Turno;
import dev.turno.task.ChangeOutcome;
import dev.turno.task.CronRun;
import dev.turno.task.NewSchedule;
import dev.turno.task.NewTask;
import dev.turno.task.ScheduleOutcome;
import dev.turno.task.StoredTask;
import dev.turno.task.TaskFigures;
import dev.turno.task.TaskPage;
import dev.turno.task.TaskState;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@RestController
@RequestMapping("/api/v1")
class TaskController {

    private static final int MOST_AT_ONCE = 10_000;
    private static final int RUNS_SHOWN = 5;

    private final Turno turno;
    private final Names names;
    private final JsonMapper json;

    TaskController(Turno turno, Names names, JsonMapper json) {
        this.turno = turno;
        this.names = names;
        this.json = json;
    }

    record TaskRequest(
            @Nullable String type,
            @Nullable String key,
            @Nullable Body body,
            @Nullable Instant at,
            @Nullable String in,
            @Nullable String cron,
            @Nullable String zone,
            @Nullable Integer priority,
            @Nullable String lane,
            @Nullable Boolean replace) {

        NewTask task() {
            if (cron != null || (at == null) == (in == null)) {
                throw new IllegalArgumentException(
                        "A task has either 'at' or 'in', or by itself 'cron' with 'zone'. Nothing was stored.");
            }
            NewTask.IfThere ifThere = Boolean.TRUE.equals(replace) ? NewTask.IfThere.REPLACE : NewTask.IfThere.KEEP;
            NewTask task = at != null ? NewTask.at(typeOf(), bodyOf(), at) : NewTask.in(typeOf(), bodyOf(), wait(in));
            if (key != null) {
                task = task.withKey(key, ifThere);
            }
            if (lane != null) {
                task = task.inLane(lane);
            }
            return priority == null ? task : task.withPriority(priority);
        }

        private static Duration wait(@Nullable String text) {
            return Inputs.duration("in", Inputs.required("in", text));
        }

        /** Known by its key, or else by its type. */
        NewSchedule schedule() {
            String name = key != null ? key : typeOf();
            NewSchedule schedule = NewSchedule.of(
                    name, Inputs.required("cron", cron), Inputs.required("zone", zone), typeOf(), bodyOf());
            return priority == null ? schedule : schedule.withPriority(priority);
        }

        private String typeOf() {
            return Inputs.required("type", type);
        }

        private String bodyOf() {
            return body == null ? "" : body.text();
        }
    }

    record TaskAnswer(long id, TaskState state, boolean duplicate, OptionalLong replaced) {

        static TaskAnswer of(ScheduleOutcome outcome) {
            if (outcome instanceof ScheduleOutcome.Kept kept) {
                return new TaskAnswer(kept.id(), kept.state(), true, OptionalLong.empty());
            }
            if (outcome instanceof ScheduleOutcome.Replaced replaced) {
                return new TaskAnswer(replaced.id(), TaskState.PENDING, false, OptionalLong.of(replaced.old()));
            }
            if (outcome instanceof ScheduleOutcome.TooLate tooLate) {
                throw new ConflictException("Task " + tooLate.id()
                        + " has this key and is armed or running: it cannot be replaced any more. Nothing was stored.");
            }
            return new TaskAnswer(outcome.id(), TaskState.PENDING, false, OptionalLong.empty());
        }
    }

    record ScheduleAnswer(String schedule, boolean changed, List<String> next) {}

    @PostMapping("/tasks")
    @Route(
            role = Role.PRODUCER,
            says =
                    "Schedules a task 'at' an instant or 'in' a while, or with 'cron' and 'zone' a schedule under its key; an array"
                            + " schedules many. 200 with duplicate true if a task has the key; replace true takes its place.",
            takes = "{\"type\":\"bell\",\"key\":\"noon\",\"body\":{\"times\":12},\"at\":\"2030-01-01T12:00:00Z\"}",
            gives = "{\"id\":7,\"state\":\"PENDING\",\"duplicate\":false,\"replaced\":null}",
            status = 201)
    ResponseEntity<Object> schedule(@RequestBody JsonNode request) {
        if (request.isArray()) {
            return ResponseEntity.status(HttpStatus.CREATED).body(scheduleAll(request));
        }
        TaskRequest one = json.treeToValue(request, TaskRequest.class);
        if (one == null) {
            throw new IllegalArgumentException("There is no task in the body. Nothing was stored.");
        }
        if (one.cron() != null) {
            return ResponseEntity.status(HttpStatus.CREATED).body(define(one.schedule()));
        }
        NewTask task = one.task();
        names.requireRoomForTasks(task.type());
        TaskAnswer answer = TaskAnswer.of(turno.tasks().schedule(task));
        return ResponseEntity.status(answer.duplicate() ? HttpStatus.OK : HttpStatus.CREATED)
                .body(answer);
    }

    private List<TaskAnswer> scheduleAll(JsonNode requests) {
        if (requests.size() > MOST_AT_ONCE) {
            throw new IllegalArgumentException(
                    "At most " + MOST_AT_ONCE + " tasks at once. Nothing was stored; send them in parts.");
        }
        List<NewTask> tasks = new ArrayList<>();
        for (JsonNode request : requests) {
            NewTask task = json.treeToValue(request, TaskRequest.class).task();
            names.requireRoomForTasks(task.type());
            tasks.add(task);
        }
        return turno.tasks().scheduleAll(tasks).stream().map(TaskAnswer::of).toList();
    }

    private ScheduleAnswer define(NewSchedule schedule) {
        names.requireRoomForTasks(schedule.type());
        boolean changed = turno.tasks().crons().define(schedule);
        return new ScheduleAnswer(schedule.name(), changed, nextRuns(schedule.name(), RUNS_SHOWN));
    }

    private List<String> nextRuns(String schedule, int count) {
        return turno.tasks().crons().nextRuns(schedule, count).orElseThrow(() -> noSuchSchedule(schedule)).stream()
                .map(CronRun::words)
                .toList();
    }

    private static NotFoundException noSuchSchedule(String name) {
        return new NotFoundException("There is no schedule '" + name + "'.");
    }

    @GetMapping("/task-types")
    @Route(role = Role.VIEWER, says = "The types of tasks in figures: by state, overdue, lag, who can run them.")
    Items<TaskFigures> types() {
        return Items.of(turno.tasks().figures(), Optional.empty());
    }

    @GetMapping("/tasks")
    @Route(
            role = Role.VIEWER,
            says = "Tasks of a type in a state, without their bodies; q is a part of the key or the error.")
    Items<StoredTask> list(
            @RequestParam String type,
            @RequestParam(defaultValue = "PENDING") TaskState state,
            @RequestParam Optional<String> q,
            @RequestParam Optional<String> after,
            @RequestParam(defaultValue = "50") int limit) {
        names.requireTaskType(type);
        TaskPage page = turno.tasks().list(type, state, Inputs.searched(q), after, Inputs.limit(limit));
        return Items.of(page.items(), page.next());
    }

    @GetMapping("/tasks/{id}")
    @Route(role = Role.VIEWER, says = "One task with its body.")
    StoredTask show(@PathVariable long id) {
        return turno.tasks().find(id).orElseThrow(() -> noSuchTask(id));
    }

    private static NotFoundException noSuchTask(long id) {
        return new NotFoundException("There is no task " + id + ": it never was, or its time to be kept has passed.");
    }

    @DeleteMapping("/tasks/{id}")
    @Route(
            role = Role.OPERATOR,
            says = "Gives a task up; 409 if it is armed, running or over.",
            gives = "{\"id\":7,\"changed\":true}")
    Map<String, Object> cancel(@PathVariable long id) {
        return change(id, turno.tasks()::cancel);
    }

    @PostMapping("/tasks/{id}/revive")
    @Route(role = Role.OPERATOR, says = "Gives a DEAD task its turn again.", gives = "{\"id\":7,\"changed\":true}")
    Map<String, Object> revive(@PathVariable long id) {
        return change(id, turno.tasks()::revive);
    }

    @PostMapping("/tasks/{id}/run")
    @Route(role = Role.OPERATOR, says = "Moves a task to this moment.", gives = "{\"id\":7,\"changed\":true}")
    Map<String, Object> runNow(@PathVariable long id) {
        return change(id, turno.tasks()::runNow);
    }

    private static Map<String, Object> change(long id, LongFunction<ChangeOutcome> act) {
        ChangeOutcome outcome = act.apply(id);
        if (outcome instanceof ChangeOutcome.Unknown) {
            throw noSuchTask(id);
        }
        if (outcome instanceof ChangeOutcome.TooLate tooLate) {
            throw new ConflictException(
                    "Task " + id + " is " + tooLate.state() + "; it is too late for that. Nothing was changed.");
        }
        return Map.of("id", id, "changed", true);
    }

    @PostMapping("/tasks/pre-assign")
    @Route(
            role = Role.OPERATOR,
            says = "Shares out now what is due within the window; the nodes do it by themselves anyway.",
            gives = "{\"assigned\":1000}")
    Map<String, Integer> preAssign(@RequestParam(defaultValue = "PT5M") String window) {
        return Map.of("assigned", turno.tasks().preAssign(Inputs.duration("window", window)));
    }

    @GetMapping("/schedules")
    @Route(role = Role.VIEWER, says = "The cron schedules.")
    Items<?> schedules() {
        return Items.of(turno.tasks().crons().list(), Optional.empty());
    }

    @GetMapping("/schedules/{id}/next")
    @Route(role = Role.VIEWER, says = "Its next runs in words, clock changes included.", gives = "{\"runs\":[]}")
    Map<String, List<String>> next(@PathVariable String id, @RequestParam(defaultValue = "5") int count) {
        return Map.of("runs", nextRuns(id, count));
    }

    @PostMapping("/schedules/{id}/pause")
    @Route(
            role = Role.OPERATOR,
            says = "No more runs until it is resumed.",
            gives = "{\"schedule\":\"noon\",\"paused\":true}")
    Map<String, Object> pause(@PathVariable String id) {
        require(turno.tasks().crons().pause(id), id);
        return Map.of("schedule", id, "paused", true);
    }

    @PostMapping("/schedules/{id}/resume")
    @Route(role = Role.OPERATOR, says = "Goes on from now.", gives = "{\"schedule\":\"noon\",\"paused\":false}")
    Map<String, Object> resume(@PathVariable String id) {
        require(turno.tasks().crons().resume(id), id);
        return Map.of("schedule", id, "paused", false);
    }

    @PostMapping("/schedules/{id}/run")
    @Route(role = Role.OPERATOR, says = "A run beside the plan, now.", gives = "{\"schedule\":\"noon\",\"task\":9}")
    Map<String, Object> run(@PathVariable String id) {
        long task = turno.tasks().crons().runNow(id).orElseThrow(() -> noSuchSchedule(id));
        return Map.of("schedule", id, "task", task);
    }

    @DeleteMapping("/schedules/{id}")
    @Route(role = Role.OPERATOR, says = "Forgets a schedule.", gives = "{\"schedule\":\"noon\",\"removed\":true}")
    Map<String, Object> remove(@PathVariable String id) {
        require(turno.tasks().crons().remove(id), id);
        return Map.of("schedule", id, "removed", true);
    }

    private static void require(boolean found, String id) {
        if (!found) {
            throw noSuchSchedule(id);
        }
    }
}
