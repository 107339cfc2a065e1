package dev.turno.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The script at the root passes every command on that is there. */
final class ScriptTest {

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
}
