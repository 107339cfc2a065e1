package dev.turno.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/states.md} shows the arrows of the enum, not somebody's memory of them. */
class StatesPageTest {

    @Test
    void the_page_shows_the_arrows_of_a_run() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "states.md"));

        assertThat(page).contains(arrows());
    }

    private static String arrows() {
        StringBuilder text = new StringBuilder();
        for (RunState state : RunState.values()) {
            String next = state.next().stream().map(Enum::name).collect(Collectors.joining(", "));
            text.append("| ")
                    .append(state)
                    .append(" | ")
                    .append(next.isEmpty() ? "(the end)" : next)
                    .append(" |\n");
        }
        return text.toString();
    }
}
