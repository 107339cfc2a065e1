package dev.turno;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** {@code docs/states.md}, which shows the arrows of the enums, not somebody's memory of them. */
public final class StatesPage {

    private StatesPage() {}

    /** Fails unless a table of the page has exactly these arrows. */
    public static <S extends Enum<S>> void shows(S[] states, Function<S, Set<S>> next) throws IOException {
        String table = Arrays.stream(states)
                .map(state -> "| " + state + " | " + words(next.apply(state)) + " |\n")
                .collect(Collectors.joining("", "| from | to |\n|---|---|\n", "\n"));

        assertThat(Files.readString(Path.of("..", "docs", "states.md"))).contains(table);
    }

    private static String words(Set<? extends Enum<?>> states) {
        return states.isEmpty() ? "(the end)" : states.stream().map(Enum::name).collect(Collectors.joining(", "));
    }
}
