package dev.turno.server.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "lock", mixinStandardHelpOptions = true, description = "Named locks.")
final class LockCommand extends Noun {

    @Command(description = "The locks that are taken.", mixinStandardHelpOptions = true)
    void list(@Mixin Api api, @Option(names = "--after", description = Api.AFTER) @Nullable String after) {
        api.show(api.get("/locks" + Api.query("after", after)), "name", "node", "user", "takenAt", "until", "fence");
    }

    @Command(description = "Who has it.", mixinStandardHelpOptions = true)
    void show(@Mixin Api api, @Parameters(paramLabel = "NAME") String name) {
        api.show(api.get(path(name)));
    }

    @Command(description = "Takes it.", mixinStandardHelpOptions = true)
    void take(
            @Mixin Api api,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--holder", required = true, description = "As whom people see you.") String holder,
            @Option(names = "--lease", defaultValue = "PT30S", description = "For how long (${DEFAULT-VALUE}).")
                    String lease) {
        api.show(api.post(path(name), Map.of("holder", holder, "lease", lease)));
    }

    @Command(description = "Renews it.", mixinStandardHelpOptions = true)
    void renew(
            @Mixin Api api,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--fence", required = true, description = "What the taking answered.") long fence) {
        api.show(api.ask("PUT", path(name), Map.of("fence", fence)));
    }

    @Command(description = "Gives it back.", mixinStandardHelpOptions = true)
    void release(
            @Mixin Api api,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--fence", required = true, description = "What the taking answered.") long fence) {
        api.show(api.ask("DELETE", path(name) + "?fence=" + fence, null));
    }

    @Command(name = "force-release", description = "Takes it from whoever has it.", mixinStandardHelpOptions = true)
    void forceRelease(
            @Mixin Api api,
            @Parameters(paramLabel = "NAME") String name,
            @Parameters(paramLabel = "WHY", description = "For the log and the audit.") String why) {
        api.show(api.post(path(name) + "/force-release", Map.of("reason", why)));
    }

    private static String path(String name) {
        return "/locks/" + Api.segment(name);
    }
}
