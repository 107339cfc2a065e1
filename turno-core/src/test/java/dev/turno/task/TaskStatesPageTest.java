package dev.turno.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/states.md} shows the arrows of the enum, not somebody's memory of them. */
class TaskStatesPageTest {

    @Test
    void the_page_shows_the_arrows_of_a_task() throws IOException {
        StringBuilder arrows = new StringBuilder("## Task\n\n| from | to |\n|---|---|\n");
        for (TaskState state : TaskState.values()) {
            String next = state.next().stream().map(Enum::name).collect(Collectors.joining(", "));
            arrows.append("| ")
                    .append(state)
                    .append(" | ")
                    .append(next.isEmpty() ? "(the end)" : next)
                    .append(" |\n");
        }

        assertThat(Files.readString(Path.of("..", "docs", "states.md"))).contains(arrows);
    }
}
