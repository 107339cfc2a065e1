package dev.turno.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildProcessTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration A_MOMENT = Duration.ofMillis(200);

    @Test
    void a_child_gets_its_arguments_and_is_heard() {
        try (var child = ChildProcess.start(TalkingChild.class, "one", "two words", "ñ")) {
            assertThat(child.awaitLine(line -> line.startsWith("ready"), SOON)).isEqualTo("ready one two words ñ");
        }
    }

    @Test
    void a_child_hears_what_it_is_sent() {
        try (var child = ChildProcess.start(TalkingChild.class)) {
            child.send("héllo");

            child.awaitLine("heard héllo"::equals, SOON);
        }
    }

    @Test
    void lines_are_awaited_in_the_order_in_which_they_come() {
        try (var child = ChildProcess.start(TalkingChild.class)) {
            child.send("a");
            child.send("b");
            child.send("a");

            child.awaitLine("heard a"::equals, SOON);
            child.awaitLine("heard b"::equals, SOON);
            child.awaitLine("heard a"::equals, SOON);
            assertThatThrownBy(() -> child.awaitLine("heard a"::equals, A_MOMENT))
                    .isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void a_child_that_ends_by_itself_tells_its_exit_code() {
        try (var child = ChildProcess.start(TalkingChild.class)) {
            child.send("end");

            assertThat(child.awaitExit(SOON)).isEqualTo(7);
            assertThat(child.lines()).contains("heard end");
        }
    }

    @Test
    void waiting_for_a_child_that_fails_ends_at_once_and_shows_what_it_printed() {
        try (var child = ChildProcess.start(TalkingChild.class, "willing")) {
            child.send("fail");

            assertThatThrownBy(() -> child.awaitLine("never"::equals, Duration.ofMinutes(5)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("TalkingChild (pid " + child.pid() + ") did not print the awaited line")
                    .hasMessageContaining("exit code 1")
                    .hasMessageContaining("ready willing")
                    .hasMessageContaining("IllegalStateException: as I was told");
        }
    }

    @Test
    void nothing_can_be_sent_to_a_dead_child() {
        try (var child = ChildProcess.start(TalkingChild.class)) {
            child.kill9();

            assertThatThrownBy(() -> child.send("wake up")).hasMessageContaining("exit code 137");
        }
    }

    @Test
    void a_killed_child_is_dead_and_all_it_printed_is_kept() {
        try (var child = ChildProcess.start(CountingChild.class)) {
            child.awaitLine("1000"::equals, SOON);

            child.kill9();

            assertThat(child.isAlive()).isFalse();
            List<String> lines = child.lines();
            assertThat(lines).hasSizeGreaterThanOrEqualTo(1000);
            assertThat(lines.get(lines.size() - 2)).isEqualTo(Integer.toString(lines.size() - 1));
        }
    }

    @Test
    void who_is_born_while_its_family_is_killed_dies_too() {
        for (int i = 0; i < 20; i++) {
            try (var child = Launch.command("sh", "-c", "while :; do echo born; sleep 40 & done")
                    .start()) {
                child.awaitLine("born"::equals, SOON);

                child.kill9(); // fails if anybody is left to whom the output belongs
            }
        }
    }

    @Test
    void a_stopped_child_stands_still_until_it_is_woken() {
        try (var child = ChildProcess.start(TalkingChild.class)) {
            child.awaitLine(line -> line.startsWith("ready"), SOON);

            child.stop();
            child.send("are you there?");
            assertThatThrownBy(() -> child.awaitLine(line -> line.startsWith("heard"), A_MOMENT))
                    .hasMessageContaining("is running");

            child.cont();
            child.awaitLine("heard are you there?"::equals, SOON);
        }
    }

    @Test
    void a_stopped_child_can_be_killed() {
        var child = ChildProcess.start(TalkingChild.class);
        child.stop();

        child.close();

        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void a_child_halts_when_its_parent_is_no_longer_there() {
        try (var child =
                Launch.main(TalkingChild.class).inputFrom(Path.of("/dev/null")).start()) {
            assertThat(child.awaitExit(SOON)).isEqualTo(ParentWatch.PARENT_GONE);
        }
    }

    @Test
    void a_child_runs_through_another_program_and_dies_with_it() {
        // The shell waits for its child, as faketime does.
        try (var child = Launch.main(TalkingChild.class)
                .through("sh", "-c", "\"$@\"; exit", "sh")
                .start()) {
            child.awaitLine(line -> line.startsWith("ready"), SOON);
            var both = ProcessHandle.of(child.pid()).orElseThrow().descendants().toList();

            child.kill9();

            assertThat(both).hasSize(1).allMatch(ChildProcess::isDead);
        }
    }
}
