package dev.turno.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "task", mixinStandardHelpOptions = true, description = "Work for an instant, and cron schedules.")
final class TaskCommand extends Noun {

    @Command(description = "The types in figures, or the tasks of one.", mixinStandardHelpOptions = true)
    void list(
            @Mixin Api api,
            @Parameters(paramLabel = "TYPE", arity = "0..1") @Nullable String type,
            @Option(
                            names = "--state",
                            defaultValue = "PENDING",
                            description = "PENDING, ASSIGNED, DOING, DONE, DEAD or CANCELLED (${DEFAULT-VALUE}).")
                    String state,
            @Option(names = "--q", description = "Only those with this in their key or error.") @Nullable String q,
            @Option(names = "--after", description = Api.AFTER) @Nullable String after) {
        if (type == null) {
            api.show(api.get("/task-types"), "type", "byState", "overdue", "runners", "assigned", "assignedAt");
        } else {
            String query = Api.query("type", type, "state", state, "q", q, "after", after);
            api.show(api.get("/tasks" + query), "id", "key", "state", "at", "attempt", "node", "error");
        }
    }

    @Command(description = "Schedules a task, or with --cron a schedule.", mixinStandardHelpOptions = true)
    void schedule(
            @Mixin Api api,
            @Parameters(paramLabel = "TYPE") String type,
            @Parameters(paramLabel = "BODY", defaultValue = "") String body,
            @Option(names = "--at", description = "As in 2030-01-01T12:00:00Z.") @Nullable String at,
            @Option(names = "--in", description = "As in 10m.") @Nullable String in,
            @Option(names = "--cron", description = "Five or six fields.") @Nullable String cron,
            @Option(names = "--zone", description = "As in Europe/Madrid.") @Nullable String zone,
            @Option(names = "--key", description = "The same key again changes nothing; without one it is drawn.")
                    @Nullable
                    String key) {
        api.show(api.post(
                "/tasks",
                Api.body("type", type, "body", body, "at", at, "in", in, "cron", cron, "zone", zone, "key", key)));
    }

    @Command(description = "One task.", mixinStandardHelpOptions = true)
    void show(@Mixin Api api, @Parameters(paramLabel = "ID") long id) {
        api.show(api.get("/tasks/" + id));
    }

    @Command(description = "Gives it up.", mixinStandardHelpOptions = true)
    void cancel(@Mixin Api api, @Parameters(paramLabel = "ID") long id) {
        api.show(api.ask("DELETE", "/tasks/" + id, null));
    }

    @Command(description = "Gives a DEAD one its turn again.", mixinStandardHelpOptions = true)
    void revive(@Mixin Api api, @Parameters(paramLabel = "ID") long id) {
        api.show(api.post("/tasks/" + id + "/revive", null));
    }

    @Command(
            name = "pre-assign",
            description = "Shares out what is due within the window.",
            mixinStandardHelpOptions = true)
    void preAssign(
            @Mixin Api api,
            @Option(names = "--window", defaultValue = "PT5M", description = "How far ahead (${DEFAULT-VALUE}).")
                    String window) {
        api.show(api.post("/tasks/pre-assign" + Api.query("window", window), null));
    }

    @Command(description = "The cron schedules.", mixinStandardHelpOptions = true)
    void schedules(@Mixin Api api) {
        api.show(api.get("/schedules"), "name", "type", "line", "zone", "paused", "next");
    }

    @Command(description = "No more runs of a schedule until it is resumed.", mixinStandardHelpOptions = true)
    void pause(@Mixin Api api, @Parameters(paramLabel = "SCHEDULE") String name) {
        api.show(api.post("/schedules/" + Api.segment(name) + "/pause", null));
    }

    @Command(description = "A schedule goes on from now.", mixinStandardHelpOptions = true)
    void resume(@Mixin Api api, @Parameters(paramLabel = "SCHEDULE") String name) {
        api.show(api.post("/schedules/" + Api.segment(name) + "/resume", null));
    }
}
