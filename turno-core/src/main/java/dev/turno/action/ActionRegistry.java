package dev.turno.action;

import dev.turno.run.Runs;
import dev.turno.sql.Nearest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The actions of this process, in the order in which they were added. Shared by threads. */
public final class ActionRegistry {

    private final Runs runs;
    private final Map<String, Action> actions = new LinkedHashMap<>(); // guarded by this

    ActionRegistry(Runs runs) {
        this.runs = runs;
    }

    /**
     * Adds an action. Its jobs must have been added to the runs before, so that a mistyped name is found at start-up.
     *
     * @throws IllegalArgumentException if the name is taken or a job is unknown
     */
    public synchronized ActionRegistry add(Action action) {
        for (String job : action.jobs()) {
            if (!runs.jobs().contains(job)) {
                throw new IllegalArgumentException("Action '" + action.name() + "' names the job '" + job
                        + "', which does not exist. " + Nearest.of(job, runs.jobs())
                        + " The action was not added; add its jobs first, or correct the name.");
            }
        }
        if (actions.putIfAbsent(action.name(), action) != null) {
            throw new IllegalArgumentException(
                    "There is an action '" + action.name() + "' already. Two different actions need two names.");
        }
        return this;
    }

    public synchronized List<Action> all() {
        return List.copyOf(actions.values());
    }

    public synchronized Optional<Action> find(String name) {
        return Optional.ofNullable(actions.get(name));
    }

    Action require(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException("There is no action '" + name + "'. "
                        + Nearest.of(name, all().stream().map(Action::name).toList()) + " Nothing was submitted."));
    }
}
