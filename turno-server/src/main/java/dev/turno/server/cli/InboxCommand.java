package dev.turno.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "inbox", mixinStandardHelpOptions = true, description = "Messages handled once.")
final class InboxCommand extends Noun {

    @Command(description = "The inboxes.", mixinStandardHelpOptions = true)
    void list(@Mixin Api api, @Option(names = "--after", description = Api.AFTER) @Nullable String after) {
        api.show(
                api.get("/inboxes" + Api.query("after", after)),
                "name",
                "paused",
                "counts.pending",
                "counts.doing",
                "counts.done",
                "counts.dead");
    }

    @Command(description = "Puts a message.", mixinStandardHelpOptions = true)
    void put(
            @Mixin Api api,
            @Parameters(paramLabel = "INBOX") String inbox,
            @Parameters(paramLabel = "BODY") String body,
            @Option(names = "--id", description = "The same id again changes nothing; without one it is drawn.")
                    @Nullable
                    String id,
            @Option(names = "--priority", description = "From 0 to 9; higher ones go first (5).") @Nullable
                    Integer priority,
            @Option(names = "--ordering-key", description = "Messages of one key go one after the other.") @Nullable
                    String orderingKey,
            @Option(names = "--turn-at", description = "Not before this moment, such as 2027-01-01T00:00:00Z.")
                    @Nullable
                    String turnAt) {
        api.show(api.post(
                messages(inbox),
                Api.body("body", body, "id", id, "priority", priority, "orderingKey", orderingKey, "turnAt", turnAt)));
    }

    @Command(description = "An inbox's messages, or one message.", mixinStandardHelpOptions = true)
    void show(
            @Mixin Api api,
            @Parameters(paramLabel = "INBOX") String inbox,
            @Parameters(paramLabel = "ID", arity = "0..1") @Nullable String id,
            @Option(
                            names = "--state",
                            defaultValue = "PENDING",
                            description = "PENDING, DOING, DONE, DEAD or CANCELLED (${DEFAULT-VALUE}).")
                    String state,
            @Option(names = "--q", description = "Only those with this in their id or error.") @Nullable String q,
            @Option(names = "--after", description = Api.AFTER) @Nullable String after,
            @Option(names = "--limit", defaultValue = "50", description = "At most so many (${DEFAULT-VALUE}).")
                    int limit) {
        if (id != null) {
            api.show(api.get(messages(inbox) + "/" + Api.segment(id)));
        } else {
            String query = Api.query("state", state, "q", q, "after", after, "limit", limit);
            api.show(
                    api.get(messages(inbox) + query), "id", "state", "priority", "attempt", "putAt", "turnAt", "error");
        }
    }

    @Command(description = "Gives a DEAD message its turn again, or all of them.", mixinStandardHelpOptions = true)
    void revive(
            @Mixin Api api,
            @Parameters(paramLabel = "INBOX") String inbox,
            @Parameters(paramLabel = "ID", arity = "0..1") @Nullable String id,
            @Option(names = "--q", description = "Only those with this in their id or error.") @Nullable String q) {
        api.show(api.post(
                id != null
                        ? messages(inbox) + "/" + Api.segment(id) + "/revive"
                        : "/inboxes/" + Api.segment(inbox) + "/revive" + Api.query("state", "DEAD", "q", q),
                null));
    }

    @Command(description = "Gives up a message that waits or is DEAD.", mixinStandardHelpOptions = true)
    void cancel(
            @Mixin Api api, @Parameters(paramLabel = "INBOX") String inbox, @Parameters(paramLabel = "ID") String id) {
        api.show(api.post(messages(inbox) + "/" + Api.segment(id) + "/cancel", null));
    }

    @Command(description = "Nobody takes from it until it is resumed.", mixinStandardHelpOptions = true)
    void pause(@Mixin Api api, @Parameters(paramLabel = "INBOX") String inbox) {
        api.show(api.post("/inboxes/" + Api.segment(inbox) + "/pause", null));
    }

    @Command(description = "Takes go on.", mixinStandardHelpOptions = true)
    void resume(@Mixin Api api, @Parameters(paramLabel = "INBOX") String inbox) {
        api.show(api.post("/inboxes/" + Api.segment(inbox) + "/resume", null));
    }

    private static String messages(String inbox) {
        return "/inboxes/" + Api.segment(inbox) + "/messages";
    }
}
