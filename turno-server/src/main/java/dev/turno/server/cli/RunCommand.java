package dev.turno.server.cli;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "run", mixinStandardHelpOptions = true, description = "Long paged work.")
final class RunCommand extends Noun {

    private static final Set<String> UNDER_WAY = Set.of("PENDING", "PARKED", "DOING");
    private static final Duration ROUND = Duration.ofMillis(500);

    @Command(description = "The runs in a state, or of a subject.", mixinStandardHelpOptions = true)
    void list(
            @Mixin Api api,
            @Option(
                            names = "--state",
                            defaultValue = "DOING",
                            description =
                                    "PENDING, PARKED, DOING, DONE, STOPPED, DEAD or CANCELLED (${DEFAULT-VALUE}).")
                    String state,
            @Option(names = "--subject", description = "Only of this subject.") @Nullable String subject,
            @Option(names = "--after", description = Api.AFTER) @Nullable String after) {
        String query = Api.query("state", state, "subject", subject, "after", after);
        api.show(api.get("/runs" + query), "id", "job", "subject", "state", "submittedAt", "node", "error");
    }

    @Command(description = "One run.", mixinStandardHelpOptions = true)
    void show(@Mixin Api api, @Parameters(paramLabel = "ID") long id) {
        api.show(api.get("/runs/" + id));
    }

    @Command(
            description = "Follows a run to its end, with a bar on a terminal. Exit code 1 unless it is DONE.",
            mixinStandardHelpOptions = true)
    int watch(@Mixin Api api, @Parameters(paramLabel = "ID") long id) throws InterruptedException {
        JsonNode run = api.get("/runs/" + id);
        boolean bar = CommandLine.Help.Ansi.AUTO.enabled() && !api.isJson();
        while (UNDER_WAY.contains(run.get("state").asString())) {
            if (bar) {
                api.out().print("\r" + Text.bar(run.get("progress")));
                api.out().flush();
            }
            Thread.sleep(ROUND.toMillis());
            run = api.get("/runs/" + id);
        }
        if (bar) {
            api.out().println("\r" + Text.bar(run.get("progress")));
        }
        api.show(run);
        return run.get("state").asString().equals("DONE") ? 0 : 1;
    }

    @Command(description = "What it said.", mixinStandardHelpOptions = true)
    void log(
            @Mixin Api api,
            @Parameters(paramLabel = "ID") long id,
            @Option(names = "--after", description = Api.AFTER) @Nullable String after) {
        api.show(api.get("/runs/" + id + "/log" + Api.query("after", after)), "at", "text");
    }

    @Command(description = "Stops it at its next item.", mixinStandardHelpOptions = true)
    void stop(@Mixin Api api, @Parameters(paramLabel = "ID") long id) {
        api.show(api.post("/runs/" + id + "/stop", null));
    }

    @Command(description = "It goes on after its last stored page.", mixinStandardHelpOptions = true)
    void resume(@Mixin Api api, @Parameters(paramLabel = "ID") long id) {
        api.show(api.post("/runs/" + id + "/resume", null));
    }

    @Command(description = "Gives it up.", mixinStandardHelpOptions = true)
    void cancel(@Mixin Api api, @Parameters(paramLabel = "ID") long id) {
        api.show(api.post("/runs/" + id + "/cancel", null));
    }
}
