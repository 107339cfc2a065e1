package dev.turno.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "buffer", mixinStandardHelpOptions = true, description = "Messages joined until quiet.")
final class BufferCommand extends Noun {

    @Command(description = "The buffers.", mixinStandardHelpOptions = true)
    void list(@Mixin Api api, @Option(names = "--after", description = Api.AFTER) @Nullable String after) {
        api.show(
                api.get("/buffers" + Api.query("after", after)),
                "name",
                "counts.pending",
                "counts.doing",
                "counts.dead");
    }

    @Command(description = "Adds a message to a key.", mixinStandardHelpOptions = true)
    void add(
            @Mixin Api api,
            @Parameters(paramLabel = "BUFFER") String buffer,
            @Parameters(paramLabel = "KEY") String key,
            @Parameters(paramLabel = "BODY") String body,
            @Option(names = "--id", description = "The same id again changes nothing; without one it is drawn.")
                    @Nullable
                    String id) {
        api.show(api.post(path(buffer, key) + "/messages", Api.body("body", body, "id", id)));
    }

    @Command(description = "What waits for a key.", mixinStandardHelpOptions = true)
    void show(
            @Mixin Api api,
            @Parameters(paramLabel = "BUFFER") String buffer,
            @Parameters(paramLabel = "KEY") String key) {
        api.show(api.get(path(buffer, "keys") + "/" + Api.segment(key)));
    }

    @Command(description = "Hands over now what waits.", mixinStandardHelpOptions = true)
    void flush(
            @Mixin Api api,
            @Parameters(paramLabel = "BUFFER") String buffer,
            @Parameters(paramLabel = "KEY") String key) {
        api.show(api.post(path(buffer, key) + "/flush", null));
    }

    @Command(description = "Bursts that failed for good.", mixinStandardHelpOptions = true)
    void dead(
            @Mixin Api api,
            @Parameters(paramLabel = "BUFFER") String buffer,
            @Option(names = "--after", description = Api.AFTER) @Nullable String after) {
        api.show(
                api.get(path(buffer, "dead") + Api.query("after", after)),
                "id",
                "key",
                "size",
                "attempt",
                "deadAt",
                "error");
    }

    @Command(description = "Gives a dead burst its turn again.", mixinStandardHelpOptions = true)
    void revive(
            @Mixin Api api, @Parameters(paramLabel = "BUFFER") String buffer, @Parameters(paramLabel = "ID") long id) {
        api.show(api.post(path(buffer, "dead") + "/" + id + "/revive", null));
    }

    private static String path(String buffer, String key) {
        return "/buffers/" + Api.segment(buffer) + "/" + Api.segment(key);
    }
}
