package dev.turno.testkit.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turno.testkit.process.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeftoversTest {

    /** The servers may have to be unpacked first, beside other tests that do the same. */
    private static final Duration SOON = Duration.ofMinutes(2);

    @Test
    void no_server_outlives_a_test_jvm_that_was_killed() {
        try (var jvm = ChildProcess.start(ServerStartingChild.class)) {
            Path files = Path.of(jvm.awaitLine(line -> line.startsWith("/"), SOON));
            ProcessHandle itself = ProcessHandle.of(jvm.pid()).orElseThrow();
            List<ProcessHandle> servers = itself.descendants().toList();
            assertThat(servers).hasSizeGreaterThan(4);

            itself.destroyForcibly();

            await().atMost(SOON).until(() -> servers.stream().allMatch(ChildProcess::isDead));
            await().atMost(SOON).until(() -> !Files.exists(files));
        }
    }
}
