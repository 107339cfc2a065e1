package dev.turno.server.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.turno.Turno;
import dev.turno.server.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The workers in {@code examples}, each where its language is installed. */
class WorkersInOtherLanguagesTest {

    @SuppressWarnings("NullAway.Init")
    private static RunningServer server;

    @TempDir
    private Path folder = Path.of("");

    @BeforeAll
    static void start() {
        server = new RunningServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"python3, examples/python/worker.py", "php, examples/php/worker.php"})
    void a_worker_handles_what_waits_and_says_so(String language, String program) throws Exception {
        assumeTrue(isInstalled(language), language + " is not installed here");
        String inbox = "orders-" + language;
        server.send(
                "POST",
                "/api/v1/inboxes/" + inbox + "/messages",
                RunningServer.ADMIN,
                "{\"id\":\"o-1\",\"body\":\"tea\"}");
        Path said = folder.resolve("said");
        ProcessBuilder worker = new ProcessBuilder(language, "../" + program, inbox, "--once")
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        worker.environment().put("TURNO_URL", "http://127.0.0.1:" + server.port());
        worker.environment().put("TURNO_TOKEN", server.newToken("producer"));

        Process process = worker.start();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(said)).contains("handling o-1 attempt 1 tea");
        assertThat(process.exitValue()).isZero();
        assertThat(server.context().getBean(Turno.class).inbox(inbox).counts().done())
                .isEqualTo(1);
    }

    private static boolean isInstalled(String program) throws InterruptedException {
        try {
            return new ProcessBuilder(program, "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
