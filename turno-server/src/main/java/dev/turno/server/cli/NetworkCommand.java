package dev.turno.server.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Command(name = "network", mixinStandardHelpOptions = true, description = "Repositories that are harvested.")
final class NetworkCommand extends Noun {

    private static final JsonMapper JSON = JsonMapper.shared();

    private static String path(String acronym) {
        return "/networks/" + Api.segment(acronym);
    }

    @Command(description = "Adds a network.", mixinStandardHelpOptions = true)
    void add(
            @Mixin Api api,
            @Parameters(paramLabel = "ACRONYM") String acronym,
            @Parameters(paramLabel = "ORIGIN") String origin,
            @Option(names = "--name", description = "As people read it.") @Nullable String name,
            @Option(names = "--prefix", description = "The metadata prefix (oai_dc).") @Nullable String prefix,
            @Option(names = "--set", description = "Only this set; may be given again.") @Nullable List<String> sets,
            @Option(names = "--on", description = "A property to switch on, such as VALIDATE; may be given again.")
                    @Nullable
                    List<String> on,
            @Option(names = "--validator", description = "The rules that records must pass, by name.") @Nullable
                    String validator,
            @Option(names = "--transformer", description = "The rules that change records, by name.") @Nullable
                    String transformer,
            @Option(names = "--schedule", description = "A cron expression, or a period such as PT6H.") @Nullable
                    String schedule) {
        Map<String, Boolean> properties = new LinkedHashMap<>();
        if (on != null) {
            on.forEach(property -> properties.put(property, true));
        }
        api.show(api.post(
                "/networks",
                Api.body(
                        "acronym",
                        acronym,
                        "originUrl",
                        origin,
                        "properties",
                        properties,
                        "name",
                        name,
                        "metadataPrefix",
                        prefix,
                        "sets",
                        sets,
                        "validator",
                        validator,
                        "transformer",
                        transformer,
                        "schedule",
                        schedule)));
    }

    @Command(description = "The networks.", mixinStandardHelpOptions = true)
    void list(@Mixin Api api, @Option(names = "--after", description = Api.AFTER) @Nullable String after) {
        api.show(
                api.get("/networks" + Api.query("after", after)),
                "acronym",
                "name",
                "originUrl",
                "schedule",
                "lastGood.status",
                "lastGood.total",
                "lastGood.finishedAt");
    }

    @Command(
            description = "Looks at a source: who it is, formats, sets, first page. Nothing is stored.",
            mixinStandardHelpOptions = true)
    void check(
            @Mixin Api api,
            @Parameters(paramLabel = "ACRONYM|ORIGIN", description = "A network, or an address that is none yet.")
                    String which,
            @Option(names = "--prefix", description = "With an address: the metadata prefix (oai_dc).") @Nullable
                    String prefix,
            @Option(names = "--set", description = "With an address: only this set; may be given again.") @Nullable
                    List<String> sets) {
        if (!which.startsWith("http://") && !which.startsWith("https://")) {
            api.show(api.post(path(which) + "/check", null));
            return;
        }
        api.show(api.post(
                "/networks/check",
                Api.body("acronym", "NEW", "originUrl", which, "metadataPrefix", prefix, "sets", sets)));
    }

    @Command(
            name = "run",
            description = "Runs one action, or without one all that its schedule would.",
            mixinStandardHelpOptions = true)
    void execute(
            @Mixin Api api,
            @Parameters(paramLabel = "ACRONYM") String acronym,
            @Parameters(paramLabel = "ACTION", arity = "0..1") @Nullable String action,
            @Option(
                            names = "--incremental",
                            negatable = true,
                            description = "Only what is new, or everything; by default as it was set up.")
                    @Nullable
                    Boolean incremental) {
        api.show(api.post(path(acronym) + "/run", Api.body("action", action, "incremental", incremental)));
    }

    @Command(description = "Stops what is under way and cancels what waits.", mixinStandardHelpOptions = true)
    void stop(@Mixin Api api, @Parameters(paramLabel = "ACRONYM") String acronym) {
        api.show(api.post(path(acronym) + "/stop", null));
    }

    @Command(
            description = "Says when it is harvested; without a schedule: never by itself.",
            mixinStandardHelpOptions = true)
    void schedule(
            @Mixin Api api,
            @Parameters(paramLabel = "ACRONYM") String acronym,
            @Parameters(paramLabel = "SCHEDULE", arity = "0..1") @Nullable String schedule) {
        api.show(api.ask("PUT", path(acronym) + "/schedule", Api.body("schedule", schedule)));
    }

    @Command(name = "export", description = "Prints a network and its rules.", mixinStandardHelpOptions = true)
    void export(@Mixin Api api, @Parameters(paramLabel = "ACRONYM") String acronym) {
        api.print(api.get(path(acronym) + "/export"));
    }

    @Command(name = "import", description = "Stores what was exported.", mixinStandardHelpOptions = true)
    void store(@Mixin Api api, @Parameters(paramLabel = "FILE") Path file) {
        api.show(api.ask("POST", "/networks/import", read(file)));
    }

    private static JsonNode read(Path file) {
        try {
            return JSON.readTree(Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalArgumentException("the file " + file + " cannot be read: " + e, e);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "the file " + file + " is not JSON: " + e.getOriginalMessage()
                            + ". Give one that 'turno network export' made.",
                    e);
        }
    }
}
