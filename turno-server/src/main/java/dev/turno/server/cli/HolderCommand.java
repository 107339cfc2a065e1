package dev.turno.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "holder", mixinStandardHelpOptions = true, description = "The processes of the namespace.")
final class HolderCommand extends Noun {

    @Command(description = "The processes.", mixinStandardHelpOptions = true)
    void list(@Mixin Api api) {
        api.show(api.get("/holders"), "node", "id", "startedAt", "leaseUntil", "lapsed", "reapedAt");
    }
}
