package dev.turno.server.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.turno.harvester.demo.DemoProvider;
import dev.turno.harvester.demo.DemoRepository;
import dev.turno.server.RunningServer;
import dev.turno.server.cli.CommandServer;
import dev.turno.server.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever copies a command from the documentation finds that it works. */
class DocumentedCommandsTest {

    private static final int PATIENCE_SECONDS = 120;
    private static final Pattern COMMAND = Pattern.compile("(?m)\\./turno ([a-z-]+)([^\\n#`>|)]*)");
    private static final Pattern LABEL = Pattern.compile("(?m)^    ([a-z-]+(?: \\| [a-z-]+)*)\\)");
    private static final Pattern TEST = Pattern.compile("-Dtest='?([A-Z][\\w,]+)");

    /** Instead of the script at the root, which would look whether it has to build first. One command has a process of its own. */
    private static final String SCRIPT = """
            #!/usr/bin/env bash
            set -euo pipefail
            if [[ $1 == doctor ]]; then
                exec '%s/bin/java' -XX:TieredStopAtLevel=1 -Xshare:auto -cp '%s' %s "$@"
            fi
            %s
            """;

    @TempDir
    private static Path folder = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private static RunningServer server;

    @SuppressWarnings("NullAway.Init")
    private static DemoProvider repository;

    @SuppressWarnings("NullAway.Init")
    private static CommandServer commands;

    private static int number;

    static Stream<ShellBlock> forServers() {
        return ShellBlock.all().stream().filter(ShellBlock::onServer);
    }

    @BeforeAll
    static void start() throws IOException {
        server = new RunningServer("--turno.harvester.folder=" + folder.resolve("harvest"));
        repository = DemoProvider.start(new DemoRepository("repo.example.org", 20), 10, 0);
        commands = CommandServer.start(folder, environment());
        Path script = Files.writeString(
                folder.resolve("turno"),
                SCRIPT.formatted(
                        System.getProperty("java.home"),
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        commands.call()));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(
                folder.resolve("days.json"), "[{\"fecha\":\"2027-06-07\",\"habil\":false,\"motivo\":\"elecciones\"}]");
    }

    @AfterAll
    static void stop() {
        commands.close();
        repository.close();
        server.close();
    }

    private static Map<String, String> environment() {
        return Map.of("TURNO_TOKEN", RunningServer.ADMIN, "TURNO_URL", "http://127.0.0.1:" + server.port());
    }

    @ParameterizedTest
    @MethodSource("forServers")
    void commands_for_a_server_work_on_one_and_answer_what_the_page_shows(ShellBlock block) throws Exception {
        ShellBlock own = ownNames(block);
        if (!own.text().contains("messages") && !own.text().contains("inbox put")) {
            putTheMessageOfThePageBefore();
        }

        String said = run(own.text()
                .replaceAll("export TURNO_TOKEN=.*", "")
                .replace("http://127.0.0.1:8080", "http://127.0.0.1:" + server.port())
                .replace("https://repo.example.org/oai", repository.url())
                .replace("run watch 812", "run watch $(grep -o 'id: [0-9]*' said | tail -n 1 | cut -c5-)"));

        assertThat(own.answers()).allSatisfy(answer -> assertThat(said).containsPattern(answer));
    }

    /** Each block has an inbox and a network of its own, so that one server does for all. */
    private static ShellBlock ownNames(ShellBlock block) {
        number++;
        return new ShellBlock(
                block.page(),
                true,
                block.text().replaceAll("\\borders\\b", "orders" + number).replaceAll("\\bUX\\b", "UX" + number));
    }

    private static void putTheMessageOfThePageBefore() {
        server.send(
                "POST",
                "/api/v1/inboxes/orders" + number + "/messages",
                RunningServer.ADMIN,
                "{\"id\":\"order-1\",\"body\":{\"total\":10}}");
    }

    private static String run(String commands) throws Exception {
        Path said = folder.resolve("said");
        ProcessBuilder bash = new ProcessBuilder("bash", "-euo", "pipefail", "-c", commands)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        bash.environment().putAll(environment());
        Process process = bash.start();
        boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        String output = Files.readString(said);
        assertThat(ended).as(output).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    @Test
    void every_command_of_the_script_that_a_page_names_is_there() throws IOException {
        Set<String> known = LABEL.matcher(Files.readString(Sources.ROOT.resolve("turno")))
                .results()
                .flatMap(label -> Arrays.stream(label.group(1).split(" \\| ", -1)))
                .collect(Collectors.toSet());
        for (Path page : ShellBlock.pages()) {
            for (MatchResult named :
                    COMMAND.matcher(Sources.read(page)).results().toList()) {
                assertThat(known).as("%s in %s", named.group(), page).contains(named.group(1));
                if (named.group(1).equals("up")) {
                    assertThatCode(() -> Main.commandLine().parseArgs(words(named)))
                            .as("%s in %s", named.group(), page)
                            .doesNotThrowAnyException();
                }
            }
        }
    }

    @Test
    void every_command_that_the_dashboard_shows_can_be_given() {
        Pattern command = Pattern.compile("\\bturno ("
                + String.join("|", Main.commandLine().getSubcommands().keySet()) + ")\\b([^'\"`”»]*)");
        List<MatchResult> shown = Sources.scripts()
                .flatMap(script -> command.matcher(Sources.read(script)).results())
                .toList();

        assertThat(shown).extracting(MatchResult::group).contains("turno token create me --role viewer");
        assertThat(shown)
                .allSatisfy(one -> assertThatCode(() -> Main.commandLine().parseArgs(words(one)))
                        .as(one.group())
                        .doesNotThrowAnyException());
    }

    private static String[] words(MatchResult command) {
        return Stream.concat(
                        Stream.of(command.group(1)),
                        Arrays.stream(command.group(2).strip().split("\\s+")))
                .filter(word -> !word.isEmpty())
                .toArray(String[]::new);
    }

    @Test
    void every_benchmark_and_every_test_that_a_page_names_is_there() throws IOException {
        String benchmarks = Files.readString(
                Sources.ROOT.resolve("turno-benchmarks/src/main/java/dev/turno/benchmarks/Workload.java"));
        List<String> tests = tests();
        for (Path page : ShellBlock.pages()) {
            String text = Sources.read(page);
            Pattern.compile("\\./turno bench (?!all|report)([a-z]+)")
                    .matcher(text)
                    .results()
                    .forEach(named -> assertThat(benchmarks)
                            .as("%s in %s", named.group(), page)
                            .contains('"' + named.group(1) + '"'));
            TEST.matcher(text)
                    .results()
                    .flatMap(named -> Arrays.stream(named.group(1).split(",")))
                    .filter(name -> !name.equals("NameTest"))
                    .forEach(name -> assertThat(tests).as("in %s", page).contains(name));
        }
    }

    private static List<String> tests() throws IOException {
        List<String> tests = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Sources.ROOT)) {
            for (Path sources : modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(sources)) {
                    files.map(file -> file.getFileName().toString().replace(".java", ""))
                            .forEach(tests::add);
                }
            }
        }
        return tests;
    }
}
