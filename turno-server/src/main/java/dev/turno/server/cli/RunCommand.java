package dev.turno.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "run", mixinStandardHelpOptions = true, description = "Long paged work.")
final class RunCommand extends Noun {

    @Command(description = "The runs in a state, or of a subject.", mixinStandardHelpOptions = true)
    void list(
            @Mixin Api api,
            @Option(names = "--state", defaultValue = "DOING") String state,
            @Option(names = "--subject") @Nullable String subject,
            @Option(names = "--after") @Nullable String after) {
        String query = Api.query("state", state, "subject", subject, "after", after);
        api.show(api.get("/runs" + query), "id", "job", "subject", "state", "submittedAt", "node", "error");
    }

    @Command(description = "One run.", mixinStandardHelpOptions = true)
    void show(@Mixin Api api, @Parameters(paramLabel = "ID") long id) {
        api.show(api.get("/runs/" + id));
    }

    @Command(description = "What it said.", mixinStandardHelpOptions = true)
    void log(
            @Mixin Api api, @Parameters(paramLabel = "ID") long id, @Option(names = "--after") @Nullable String after) {
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
