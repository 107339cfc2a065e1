package dev.turno.action;

import dev.turno.run.Runs;
import dev.turno.sql.Database;
import dev.turno.watch.Watcher;
import java.util.Optional;
import java.util.function.Function;

/** The door: what there is to do, doing it, and doing it by time. */
public record Actions(ActionRegistry registry, ActionExecutor executor, SubjectScheduler scheduler) {

    /**
     * For the facade.
     *
     * @param reader what the texts of schedules mean
     * @param subjects finds a subject and its properties when its moment has come; empty: it is passed over
     */
    @SuppressWarnings("exports")
    public static Actions open(
            Database database,
            String namespace,
            Runs runs,
            Schedule.Reader reader,
            Function<String, Optional<Subject>> subjects,
            Watcher watcher) {
        ActionRegistry registry = new ActionRegistry(runs);
        ActionExecutor executor = new ActionExecutor(registry, runs);
        SubjectScheduleTable table = new SubjectScheduleTable(database, namespace);
        return new Actions(registry, executor, new SubjectScheduler(table, executor, reader, subjects, watcher));
    }

    /** For the facade: from now on schedules are kept. */
    public void start() {
        scheduler.start();
    }
}
