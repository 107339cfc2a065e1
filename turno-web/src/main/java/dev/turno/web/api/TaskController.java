package dev.turno.web.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.turno.Turno;
import dev.turno.task.AddOutcome;
import dev.turno.task.ChangeOutcome;
import dev.turno.task.CronRun;
import dev.turno.task.NewSchedule;
import dev.turno.task.NewTask;
import dev.turno.task.ScheduleOutcome;
import dev.turno.task.StoredSchedule;
import dev.turno.task.StoredTask;
import dev.turno.task.TaskFigures;
import dev.turno.task.TaskPage;
import dev.turno.task.TaskState;
import dev.turno.web.security.AuditNote;
import dev.turno.web.security.Caller;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
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
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

@RestController
@RequestMapping("/api/v1")
class TaskController {

    private static final int MOST_AT_ONCE = 10_000;
    private static final int RUNS_SHOWN = 5;
    private static final String PLACE = "@";

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

    /** @param refused why it was not stored; only in the answer to many, where others were */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record TaskAnswer(
            long id,
            TaskState state,
            boolean duplicate,
            OptionalLong replaced,
            @Nullable String refused) {

        static TaskAnswer of(ScheduleOutcome outcome) {
            if (outcome instanceof ScheduleOutcome.Kept kept) {
                return new TaskAnswer(kept.id(), kept.state(), true, OptionalLong.empty(), null);
            }
            if (outcome instanceof ScheduleOutcome.Replaced replaced) {
                return new TaskAnswer(replaced.id(), TaskState.PENDING, false, OptionalLong.of(replaced.old()), null);
            }
            return outcome instanceof ScheduleOutcome.TooLate tooLate
                    ? new TaskAnswer(tooLate.id(), TaskState.DOING, true, OptionalLong.empty(), words(tooLate))
                    : new TaskAnswer(outcome.id(), TaskState.PENDING, false, OptionalLong.empty(), null);
        }

        private static String words(ScheduleOutcome.TooLate tooLate) {
            return "Task " + tooLate.id()
                    + " has this key and is armed or running: it cannot be replaced any more. Nothing was stored.";
        }
    }

    record NextRuns(List<String> runs, List<Instant> at) {}

    record ScheduleAnswer(String schedule, boolean changed, List<String> next) {}

    /** @param many whether they were sent as an array */
    private record Sent(List<TaskRequest> tasks, boolean many) {}

    @PostMapping("/tasks")
    @Route(
            role = Role.PRODUCER,
            says =
                    "Schedules a task 'at' an instant or 'in' a while, or with 'cron' and 'zone' a schedule under its key, which only"
                            + " an operator may change later; an array schedules many, and each has its answer. 200 with duplicate"
                            + " true if a task has the key; replace true takes its place, 409 if it is running.",
            takes = "{\"type\":\"bell\",\"key\":\"noon\",\"body\":{\"times\":12},\"at\":\"2030-01-01T12:00:00Z\"}",
            gives = "{\"id\":7,\"state\":\"PENDING\",\"duplicate\":false,\"replaced\":null}",
            status = 201)
    ResponseEntity<Object> schedule(HttpServletRequest request, Caller caller, AuditNote note) throws IOException {
        Sent sent = read(request);
        if (sent.many()) {
            return ResponseEntity.status(HttpStatus.CREATED).body(scheduleAll(sent.tasks()));
        }
        TaskRequest one = sent.tasks().get(0);
        if (one.cron() != null) {
            return ResponseEntity.status(HttpStatus.CREATED).body(define(one.schedule(), caller, note));
        }
        NewTask task = one.task();
        names.requireRoomForTasks(task.type());
        TaskAnswer answer = TaskAnswer.of(turno.tasks().schedule(task));
        if (answer.refused() != null) {
            throw new ConflictException(answer.refused());
        }
        return ResponseEntity.status(answer.duplicate() ? HttpStatus.OK : HttpStatus.CREATED)
                .body(answer);
    }

    /** From the bytes themselves: a tree in between would round numbers in the bodies. */
    private Sent read(HttpServletRequest request) throws IOException {
        List<TaskRequest> tasks = new ArrayList<>();
        try (JsonParser parser = json.createParser(request.getInputStream())) {
            boolean many = parser.nextToken() == JsonToken.START_ARRAY;
            if (many) {
                parser.clearCurrentToken();
            }
            MappingIterator<TaskRequest> all = json.readerFor(TaskRequest.class).readValues(parser);
            while (all.hasNext()) {
                tasks.add(Inputs.required("a task", all.next()));
                if (tasks.size() > (many ? MOST_AT_ONCE : 1)) {
                    throw new IllegalArgumentException("Send one task, or an array of at most " + MOST_AT_ONCE
                            + ". Nothing was stored; send them in parts.");
                }
            }
            if (tasks.isEmpty() && !many) {
                throw new IllegalArgumentException("There is no task in the body. Nothing was stored.");
            }
            return new Sent(tasks, many);
        }
    }

    private List<TaskAnswer> scheduleAll(List<TaskRequest> requests) {
        List<NewTask> tasks = requests.stream().map(TaskRequest::task).toList();
        tasks.stream().map(NewTask::type).distinct().forEach(names::requireRoomForTasks);
        return turno.tasks().scheduleAll(tasks).stream().map(TaskAnswer::of).toList();
    }

    private ScheduleAnswer define(NewSchedule schedule, Caller caller, AuditNote note) {
        names.requireRoomForTasks(schedule.type());
        AddOutcome outcome = turno.tasks().crons().add(schedule);
        if (outcome == AddOutcome.OTHER) {
            change(schedule, caller, note);
        }
        return new ScheduleAnswer(
                schedule.name(), outcome != AddOutcome.SAME, words(nextRuns(schedule.name(), RUNS_SHOWN)));
    }

    private void change(NewSchedule schedule, Caller caller, AuditNote note) {
        if (!caller.role().covers(Role.OPERATOR)) {
            throw new ForbiddenException(
                    "There is another schedule '" + schedule.name() + "'. To change it needs the role"
                            + " operator; the token '" + caller.name() + "' has the role "
                            + caller.role().text() + ". Nothing was changed.");
        }
        note.about("schedule '" + schedule.name() + "': " + schedule.line() + " " + schedule.zone() + ", type "
                + schedule.type());
        note.begin();
        boolean unused = turno.tasks().crons().define(schedule);
    }

    private List<CronRun> nextRuns(String schedule, int count) {
        return turno.tasks().crons().nextRuns(schedule, count).orElseThrow(() -> noSuchSchedule(schedule));
    }

    private static List<String> words(List<CronRun> runs) {
        return runs.stream().map(CronRun::words).toList();
    }

    private static NotFoundException noSuchSchedule(String name) {
        return new NotFoundException("There is no schedule '" + name + "'.");
    }

    @GetMapping("/task-types")
    @Route(role = Role.VIEWER, says = "The types of tasks in figures: by state, overdue, lag, who can run them.")
    Items<TaskFigures> types(@RequestParam Optional<String> after, @RequestParam(defaultValue = "1000") int limit) {
        return Items.page(turno.tasks().figures(), TaskFigures::type, after, limit);
    }

    @GetMapping("/tasks")
    @Route(
            role = Role.VIEWER,
            says =
                    "Tasks in a state, of a type or of all, one type after the other, without their bodies; q is a part of the key"
                            + " or the error.")
    Items<StoredTask> list(
            @RequestParam Optional<String> type,
            @RequestParam(defaultValue = "PENDING") TaskState state,
            @RequestParam Optional<String> q,
            @RequestParam Optional<String> after,
            @RequestParam(defaultValue = "50") int limit) {
        Inputs.limit(limit);
        if (type.isEmpty()) {
            return listAll(state, Inputs.searched(q), after, limit);
        }
        names.requireTaskType(type.get());
        TaskPage page = turno.tasks().list(type.get(), state, Inputs.searched(q), after, limit);
        return Items.of(page.items(), page.next());
    }

    /** The place in the list is that within the type, and the type. */
    private Items<StoredTask> listAll(TaskState state, Optional<String> q, Optional<String> after, int limit) {
        String[] place = after.orElse(PLACE).split(PLACE, 2);
        if (place.length != 2) {
            throw new IllegalArgumentException(
                    "This is not a place in the list. Use the 'next' of the page before, unchanged.");
        }
        List<StoredTask> items = new ArrayList<>();
        for (String type : names.taskTypesFrom(place[1])) {
            if (items.size() == limit) {
                return Items.of(items, Optional.of(PLACE + type));
            }
            Optional<String> within = Optional.of(place[0]).filter(text -> type.equals(place[1]) && !text.isEmpty());
            TaskPage page = turno.tasks().list(type, state, q, within, limit - items.size());
            items.addAll(page.items());
            if (page.next().isPresent()) {
                return Items.of(items, Optional.of(page.next().get() + PLACE + type));
            }
        }
        return Items.of(items, Optional.empty());
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
    @Route(role = Role.VIEWER, says = "The cron schedules, by name.")
    Items<StoredSchedule> schedules(
            @RequestParam Optional<String> after, @RequestParam(defaultValue = "1000") int limit) {
        return Items.page(turno.tasks().crons().list(), StoredSchedule::name, after, limit);
    }

    @GetMapping("/schedules/{id}/next")
    @Route(
            role = Role.VIEWER,
            says = "Its next runs: in words, clock changes included, and as moments.",
            gives = "{\"runs\":[],\"at\":[]}")
    NextRuns next(@PathVariable String id, @RequestParam(defaultValue = "5") int count) {
        List<CronRun> runs = nextRuns(id, count);
        return new NextRuns(words(runs), runs.stream().map(CronRun::at).toList());
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
