package dev.turno.server.cli;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Commands that only look. */
final class LookCommands {

    private LookCommands() {}

    @Command(name = "why", mixinStandardHelpOptions = true, description = "Why is it not running?")
    static final class Why implements Callable<Integer> {

        @Mixin
        private Api api = new Api();

        @Parameters(
                paramLabel = "KIND/ID",
                description = "inbox/NAME/ID, buffer/NAME/KEY, lock/NAME, task/ID or run/ID; or its parts.",
                arity = "1..3")
        private List<String> thing = List.of();

        @Override
        public Integer call() {
            String path = thing.stream()
                    .flatMap(part -> Arrays.stream(part.split("/", -1)))
                    .map(Api::segment)
                    .collect(Collectors.joining("/"));
            JsonNode answer = api.get("/why/" + path);
            if (api.isJson()) {
                api.show(answer);
            } else {
                answer.get("because").forEach(sentence -> System.out.println(sentence.asString()));
            }
            return 0;
        }
    }

    @Command(name = "overview", mixinStandardHelpOptions = true, description = "Every feature in figures.")
    static final class Overview implements Callable<Integer> {

        @Mixin
        private Api api = new Api();

        @Override
        public Integer call() {
            api.show(api.get("/overview"));
            return 0;
        }
    }

    @Command(name = "audit", mixinStandardHelpOptions = true, description = "Who changed what, when and why.")
    static final class Audit implements Callable<Integer> {

        @Mixin
        private Api api = new Api();

        @Option(names = "--after", description = Api.AFTER)
        private @Nullable String after;

        @Override
        public Integer call() {
            api.show(
                    api.get("/audit" + Api.query("after", after)),
                    "at",
                    "who",
                    "address",
                    "action",
                    "status",
                    "why",
                    "details");
            return 0;
        }
    }

    @Command(
            name = "doctor",
            mixinStandardHelpOptions = true,
            description = "Looks for what makes the database slow or wrong. Exit code 1 if it finds something.")
    static final class Doctor implements Callable<Integer> {

        @Mixin
        private Api api = new Api();

        @Override
        public Integer call() {
            JsonNode answer = api.get("/doctor");
            if (api.isJson()) {
                api.show(answer);
            } else {
                answer.get("findings").forEach(LookCommands::print);
            }
            return answer.get("healthy").asBoolean() ? 0 : 1;
        }
    }

    private static void print(JsonNode finding) {
        System.out.println((finding.get("good").asBoolean() ? "good  " : "BAD   ")
                + finding.get("check").asString() + ": " + finding.get("says").asString());
    }
}
