package dev.turno.server.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "token", mixinStandardHelpOptions = true, description = "Who may call.")
final class TokenCommand extends Noun {

    @Command(description = "Makes a token and shows it, once.", mixinStandardHelpOptions = true)
    void create(
            @Mixin Api api,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--role", required = true, description = "viewer, producer, operator, admin or caller.")
                    String role,
            @Option(names = "--afore", split = ",", description = "The keys that a caller certifies for.") @Nullable
                    List<String> afore,
            @Option(names = "--expires-in", description = "As in 30d.") @Nullable String expiresIn) {
        api.show(api.post("/tokens", Api.body("name", name, "role", role, "afore", afore, "expiresIn", expiresIn)));
    }

    @Command(description = "The tokens, without themselves.", mixinStandardHelpOptions = true)
    void list(@Mixin Api api, @Option(names = "--after", description = Api.AFTER) @Nullable String after) {
        api.show(
                api.get("/tokens" + Api.query("after", after)),
                "id",
                "name",
                "role",
                "createdAt",
                "expiresAt",
                "revokedAt");
    }

    @Command(description = "Nobody gets in with it any more.", mixinStandardHelpOptions = true)
    void revoke(@Mixin Api api, @Parameters(paramLabel = "ID") long id) {
        api.show(api.ask("DELETE", "/tokens/" + id, null));
    }
}
