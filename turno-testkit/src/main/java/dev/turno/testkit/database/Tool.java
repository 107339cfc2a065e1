package dev.turno.testkit.database;

import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.time.Duration;

/** Runs a command to its end. */
final class Tool {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private Tool() {}

    static void run(String... command) {
        run(Launch.command(command));
    }

    static void run(Launch launch) {
        try (ChildProcess tool = launch.errorsInOutput().start()) {
            if (tool.awaitExit(LIMIT) != 0) {
                throw tool.failure("failed");
            }
        }
    }
}
