package dev.turno.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    Path root;

    @Test
    void nothing_is_left_of_a_test_jvm_that_was_killed() {
        try (var jvm = testJvm()) {
            ProcessHandle left = startedBy(jvm);
            Path files = filesOf(jvm);
            assertThat(left.isAlive()).isTrue();

            handleOf(jvm).destroyForcibly();

            await().atMost(SOON).until(() -> ChildProcess.isDead(left) && !Files.exists(files));
        }
    }

    @Test
    void not_even_a_frozen_child_is_left() {
        try (var jvm = testJvm("frozen")) {
            ProcessHandle left = startedBy(jvm);

            handleOf(jvm).destroyForcibly();

            await().atMost(SOON).until(() -> ChildProcess.isDead(left));
        }
    }

    @Test
    void a_jvm_that_ends_in_order_waits_until_all_is_swept() {
        try (var jvm = testJvm()) {
            ProcessHandle left = startedBy(jvm);
            Path files = filesOf(jvm);

            jvm.signal("TERM");
            jvm.awaitExit(SOON);

            assertThat(ChildProcess.isDead(left)).isTrue();
            assertThat(files).doesNotExist();
        }
    }

    @Test
    void what_even_the_sweep_could_not_remove_is_removed_by_the_next_run() {
        try (var dead = testJvm()) {
            ProcessHandle left = startedBy(dead);
            Path files = filesOf(dead);
            killWithItsSweep(dead);
            assertThat(left.isAlive()).isTrue();
            assertThat(files).exists();

            try (var next = testJvm()) {
                filesOf(next);

                assertThat(ChildProcess.isDead(left)).isTrue();
                assertThat(files).doesNotExist();
            }
        }
    }

    @Test
    void the_directory_of_a_living_run_is_left_alone() {
        try (var living = testJvm();
                var next = testJvm()) {
            Path files = filesOf(living);

            filesOf(next);

            assertThat(files).exists();
        }
    }

    private ChildProcess testJvm(String... arguments) {
        return Launch.main(StartingChild.class)
                .jvmOptions("-Dturno.test.directory=" + root)
                .arguments(arguments)
                .start();
    }

    private static ProcessHandle startedBy(ChildProcess jvm) {
        String pid = jvm.awaitLine(line -> line.startsWith("started "), SOON).substring("started ".length());
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    private static Path filesOf(ChildProcess jvm) {
        return Path.of(jvm.awaitLine(line -> line.startsWith("in "), SOON).substring("in ".length()));
    }

    /** {@link ChildProcess#kill9()} would kill those that we want to see left over. */
    private static ProcessHandle handleOf(ChildProcess jvm) {
        return ProcessHandle.of(jvm.pid()).orElseThrow();
    }

    private static void killWithItsSweep(ChildProcess jvm) {
        handleOf(jvm)
                .descendants()
                .filter(each -> each.info().commandLine().orElse("").contains("turno-testkit-sweep"))
                .forEach(ProcessHandle::destroyForcibly);
        handleOf(jvm).destroyForcibly();
        await().atMost(SOON).until(() -> !jvm.isAlive());
    }
}
