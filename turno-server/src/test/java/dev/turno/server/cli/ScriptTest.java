package dev.turno.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script at the root and the one of the tarball, with a java that says where it was started, and with what. */
final class ScriptTest {

    private static final String JAVA = """
            #!/usr/bin/env bash
            if [[ $1 == -version ]]; then
                echo 'openjdk version "17.0.1"' >&2
                exit
            fi
            pwd
            printf '%s\\n' "$@"
            """;

    @TempDir
    private Path folder = Path.of("");

    private Path here = Path.of("");

    @BeforeEach
    void makeTools() throws IOException {
        folder = folder.toRealPath();
        here = Files.createDirectories(folder.resolve("here"));
        program("jdk/bin/java", JAVA);
        program("jdk/bin/javac", JAVA);
        program("jdk/bin/mvn", JAVA);
    }

    private void program(String name, String text) throws IOException {
        assertThat(write(name, text).toFile().setExecutable(true)).isTrue();
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** A checkout in which everything is built. */
    private String checkout() throws IOException {
        program("repository/turno", Files.readString(Path.of("..", "turno")));
        for (String built : List.of(
                "turno-server/target/turno/turno-server.jar",
                "turno-server/target/turno/lib/one.jar",
                "turno-server/target/turno/turno.jsa",
                "turno-benchmarks/target/bench.classpath",
                "turno-harvester/target/test.classpath")) {
            write("repository/" + built, "");
        }
        return "../repository/turno";
    }

    /** The folder in which java was started, and what it was told. */
    private List<String> run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(here.toFile());
        builder.redirectError(folder.resolve("errors").toFile());
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().merge("PATH", folder.resolve("jdk/bin").toString(), (path, ours) -> ours + ":" + path);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("errors")))
                .isZero();
        return said.lines().toList();
    }

    @Test
    void the_script_knows_every_command() throws IOException {
        String passedOn = Files.readAllLines(Path.of("..", "turno")).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("up | "))
                .findFirst()
                .orElseThrow();
        Set<String> commands = Main.commandLine().getSubcommands().keySet();

        assertThat(List.of(passedOn.replace(")", "").split(" \\| "))).containsExactlyInAnyOrderElementsOf(commands);
    }

    @Test
    void files_given_to_the_server_are_meant_from_where_the_caller_stands() throws Exception {
        List<String> said = run(checkout(), "up", "--data", "./data");

        assertThat(said).first().isEqualTo(here.toString());
        assertThat(said)
                .endsWith(
                        "-jar",
                        folder.resolve("repository/turno-server/target/turno/turno-server.jar")
                                .toString(),
                        "up",
                        "--data",
                        "./data");
    }

    @Test
    void files_given_to_the_installed_server_are_meant_from_where_the_caller_stands() throws Exception {
        program("installed/bin/turno", Files.readString(Path.of("..", "packaging", "bin-turno")));
        Files.createSymbolicLink(here.resolve("turno"), folder.resolve("installed/bin/turno"));

        List<String> said = run("./turno", "calendar", "load", "days.json");

        assertThat(said).first().isEqualTo(here.toString());
        assertThat(said)
                .endsWith(
                        "-jar",
                        folder.resolve("installed/turno-server.jar").toString(),
                        "calendar",
                        "load",
                        "days.json");
    }

    @Test
    void files_given_to_the_benchmarks_are_meant_from_where_the_caller_stands_too() throws Exception {
        String turno = checkout();
        String results = here.resolve("results.jsonl").toString();

        assertThat(arguments(run(turno, "bench", "inbox", "--db", "h2", "--out", "results.jsonl")))
                .containsExactly("inbox", "--db", "h2", "--out", results);
        assertThat(arguments(run(turno, "bench", "inbox", "--out", results)))
                .containsExactly("inbox", "--out", results);
        assertThat(arguments(run(turno, "bench", "report", "results.jsonl", "../other.jsonl")))
                .containsExactly("report", results, here + "/../other.jsonl");
    }

    private static List<String> arguments(List<String> said) {
        return said.subList(said.indexOf("dev.turno.benchmarks.Bench") + 1, said.size());
    }
}
