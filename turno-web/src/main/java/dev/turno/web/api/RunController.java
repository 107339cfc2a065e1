package dev.turno.web.api;

import dev.turno.Turno;
import dev.turno.action.Action;
import dev.turno.action.Actions;
import dev.turno.action.Subject;
import dev.turno.run.Letter;
import dev.turno.run.LogLine;
import dev.turno.run.RunPage;
import dev.turno.run.RunState;
import dev.turno.run.StopOutcome;
import dev.turno.run.StoredRun;
import dev.turno.run.SubmitOutcome;
import dev.turno.web.security.AuditNote;
import dev.turno.web.security.Role;
import dev.turno.web.security.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/v1")
class RunController {

    private final Turno turno;
    private final ObjectProvider<Actions> actions;

    RunController(Turno turno, ObjectProvider<Actions> actions) {
        this.turno = turno;
        this.actions = actions;
    }

    record RunRequest(@Nullable String subject, @Nullable Boolean incremental) {}

    @GetMapping("/actions")
    @Route(role = Role.VIEWER, says = "The actions of this server, by name.")
    Items<Action> actions(@RequestParam Optional<String> after, @RequestParam(defaultValue = "1000") int limit) {
        List<Action> all =
                actions.stream().flatMap(some -> some.registry().all().stream()).toList();
        return Items.page(all, Action::name, after, limit);
    }

    @PostMapping("/actions/{action}/runs")
    @ResponseStatus(HttpStatus.CREATED)
    @Route(
            role = Role.OPERATOR,
            says = "Runs an action on a subject; 409 if as many wait as may.",
            takes = "{\"subject\":\"NETWORK::1\",\"incremental\":true}",
            gives = "{\"id\":812,\"state\":\"PENDING\"}",
            status = 201)
    Map<String, Object> execute(@PathVariable String action, @RequestBody RunRequest request, AuditNote note) {
        Actions found = actions.stream()
                .filter(some -> some.registry().find(action).isPresent())
                .findFirst()
                .orElseThrow(() -> new NotFoundException("There is no action '" + action + "' in this server."));
        Subject subject = Subject.of(Inputs.required("subject", request.subject()));
        note.about("on " + subject.id() + (Boolean.TRUE.equals(request.incremental()) ? ", incremental" : ""));
        SubmitOutcome outcome = request.incremental() == null
                ? found.executor().execute(action, subject)
                : found.executor().execute(action, subject, request.incremental());
        return queued(outcome);
    }

    private static Map<String, Object> queued(SubmitOutcome outcome) {
        if (outcome instanceof SubmitOutcome.Refused refused) {
            throw new ConflictException(refused.because());
        }
        return Map.of("id", ((SubmitOutcome.Queued) outcome).id(), "state", RunState.PENDING);
    }

    @GetMapping("/runs")
    @Route(role = Role.VIEWER, says = "Runs in a state, or those of a subject, newest first.")
    Items<StoredRun> list(
            @RequestParam(defaultValue = "DOING") RunState state,
            @RequestParam Optional<String> subject,
            @RequestParam Optional<String> after,
            @RequestParam(defaultValue = "50") int limit) {
        if (subject.isPresent()) {
            Optional<Long> before = after.map(text -> Inputs.number(after, 0));
            List<StoredRun> found =
                    turno.runs().ofSubject(Inputs.plain("subject", subject.get()), before, Inputs.limit(limit));
            return Items.upTo(found, limit, StoredRun::id);
        }
        RunPage page = turno.runs().list(state, after, Inputs.limit(limit));
        return Items.of(page.items(), page.next());
    }

    @GetMapping("/runs/{id}")
    @Route(role = Role.VIEWER, says = "One run: its progress, its cursor, its error.")
    StoredRun show(@PathVariable long id) {
        return turno.runs().find(id).orElseThrow(() -> noSuchRun(id));
    }

    private static NotFoundException noSuchRun(long id) {
        return new NotFoundException("There is no run " + id + ": it never was, or its time to be kept has passed.");
    }

    @GetMapping("/runs/{id}/log")
    @Route(role = Role.VIEWER, says = "What a run said.", gives = "{\"items\":[],\"next\":null}")
    Items<LogLine> log(
            @PathVariable long id,
            @RequestParam Optional<String> after,
            @RequestParam(defaultValue = "100") int limit) {
        Optional<Long> from = Optional.of(Inputs.number(after, 0));
        List<LogLine> lines = turno.runs().log(show(id).id(), from, Inputs.limit(limit));
        return Items.upTo(lines, limit, LogLine::id);
    }

    @GetMapping("/runs/{id}/items")
    @Route(role = Role.VIEWER, says = "The items that a run parked.", gives = "{\"items\":[],\"next\":null}")
    Items<Letter> items(
            @PathVariable long id,
            @RequestParam Optional<String> after,
            @RequestParam(defaultValue = "100") int limit) {
        Optional<Long> from = Optional.of(Inputs.number(after, 0));
        List<Letter> letters = turno.runs().parkedItems(show(id).id(), from, Inputs.limit(limit));
        return Items.upTo(letters, limit, Letter::id);
    }

    @PostMapping("/runs/{id}/stop")
    @Route(
            role = Role.OPERATOR,
            says = "Stops a run at its next item; 409 if it has ended.",
            gives = "{\"id\":812,\"outcome\":\"STOPPING\"}")
    Map<String, Object> stop(@PathVariable long id) {
        StopOutcome outcome = turno.runs().stop(id);
        return switch (outcome) {
            case UNKNOWN -> throw noSuchRun(id);
            case OVER -> throw new ConflictException("Run " + id + " has ended already. Nothing was changed.");
            case STOPPING, STOPPED -> Map.of("id", id, "outcome", outcome);
        };
    }

    @PostMapping("/runs/{id}/resume")
    @Route(
            role = Role.OPERATOR,
            says = "A run that was STOPPED or is DEAD goes on after its last stored page.",
            gives = "{\"id\":812,\"state\":\"PENDING\"}")
    Map<String, Object> resume(@PathVariable long id) {
        return queued(turno.runs().resume(show(id).id()));
    }

    @PostMapping("/runs/{id}/cancel")
    @Route(
            role = Role.OPERATOR,
            says = "Gives up a run that waits, was stopped or failed; 409 if it is under way or over.",
            gives = "{\"id\":812,\"state\":\"CANCELLED\"}")
    Map<String, Object> cancel(@PathVariable long id) {
        if (!turno.runs().cancel(show(id).id())) {
            throw new ConflictException(
                    "Run " + id + " is " + show(id).state() + "; stop it first, or it is over. Nothing was changed.");
        }
        return Map.of("id", id, "state", RunState.CANCELLED);
    }

    @PostMapping("/runs/{id}/revive")
    @Route(
            role = Role.OPERATOR,
            says = "Submits a run over the items that this one parked.",
            gives = "{\"id\":813,\"state\":\"PENDING\"}")
    Map<String, Object> revive(@PathVariable long id) {
        return queued(turno.runs().revive(show(id).id()));
    }
}
