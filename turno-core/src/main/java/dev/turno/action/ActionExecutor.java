package dev.turno.action;

import dev.turno.run.RunRequest;
import dev.turno.run.Runs;
import dev.turno.run.SubmitOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs actions on subjects, and stops them. Shared by threads. */
public final class ActionExecutor {

    private final ActionRegistry registry;
    private final Runs runs;

    ActionExecutor(ActionRegistry registry, Runs runs) {
        this.registry = registry;
        this.runs = runs;
    }

    /** Runs an action on a subject, incrementally if the action says so. */
    public SubmitOutcome execute(String action, Subject subject) {
        return execute(action, subject, registry.require(action).incremental());
    }

    /** Runs an action on a subject, whatever its properties say. Its jobs are links of one chain. */
    public SubmitOutcome execute(String action, Subject subject, boolean incremental) {
        return runs.submit(chain(linksOf(registry.require(action), incremental), subject));
    }

    /** Runs all actions that apply to a subject on its schedule, as one chain; empty if none does. */
    public Optional<SubmitOutcome> executeAll(Subject subject) {
        List<RunRequest.Next> links = scheduled(subject);
        return links.isEmpty() ? Optional.empty() : Optional.of(runs.submit(chain(links, subject)));
    }

    /** As {@link #executeAll}, in the caller's transaction. */
    Optional<SubmitOutcome> executeAll(Connection connection, Subject subject) throws SQLException {
        List<RunRequest.Next> links = scheduled(subject);
        return links.isEmpty() ? Optional.empty() : Optional.of(runs.submit(connection, chain(links, subject)));
    }

    /** Stops what has begun on a subject, at the next item, with the chain of which it is a link; answers how many runs. */
    public int kill(String subject) {
        return runs.stopAll(subject);
    }

    /** Cancels what waits in the queue for a subject; answers how many runs. */
    public int unqueue(String subject) {
        return runs.cancelQueued(subject);
    }

    private List<RunRequest.Next> scheduled(Subject subject) {
        List<RunRequest.Next> links = new ArrayList<>();
        registry.all().stream()
                .filter(action -> action.appliesOnScheduleTo(subject))
                .forEach(action -> links.addAll(linksOf(action, action.incremental())));
        return links;
    }

    private static List<RunRequest.Next> linksOf(Action action, boolean incremental) {
        return action.jobs().stream()
                .map(job -> new RunRequest.Next(job, Optional.of(action.name()), incremental))
                .toList();
    }

    private static RunRequest chain(List<RunRequest.Next> links, Subject subject) {
        RunRequest.Next first = links.get(0);
        RunRequest request = RunRequest.of(first.job()).on(subject.id()).incrementally(first.incremental());
        for (String action : first.action().stream().toList()) {
            request = request.partOf(action);
        }
        for (RunRequest.Next next : links.subList(1, links.size())) {
            request = request.then(next);
        }
        return request;
    }
}
