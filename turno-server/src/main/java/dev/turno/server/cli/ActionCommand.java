package dev.turno.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "action", mixinStandardHelpOptions = true, description = "Named lists of jobs for subjects.")
final class ActionCommand extends Noun {

    @Command(description = "The actions.", mixinStandardHelpOptions = true)
    void list(@Mixin Api api) {
        api.show(api.get("/actions"), "name", "jobs", "incremental", "runOnSchedule", "description");
    }

    @Command(name = "run", description = "Runs an action on a subject.", mixinStandardHelpOptions = true)
    void execute(
            @Mixin Api api,
            @Parameters(paramLabel = "ACTION") String action,
            @Parameters(paramLabel = "SUBJECT") String subject,
            @Option(
                            names = "--incremental",
                            negatable = true,
                            description = "Only what is new, or everything; by default as it was set up.")
                    @Nullable
                    Boolean incremental) {
        api.show(api.post(
                "/actions/" + Api.segment(action) + "/runs", Api.body("subject", subject, "incremental", incremental)));
    }
}
