package dev.turno.testkit.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What Linux tells of a process beyond whether its number is in use. Elsewhere there is no {@code /proc}, and no answer. */
final class KernelState {

    private KernelState() {}

    /** Dead, but its parent or init has not taken notice yet. */
    static boolean isZombie(long pid) {
        return stateIn(directory(pid)) == 'Z';
    }

    /** Whether SIGSTOP has reached every thread: on a busy machine some run on for a moment. */
    static boolean isRunningOn(long pid) {
        try (Stream<Path> threads = Files.list(directory(pid).resolve("task"))) {
            return threads.map(KernelState::stateIn).anyMatch(state -> state != 'T' && state != '?');
        } catch (IOException noSuchProcess) {
            return false;
        }
    }

    private static Path directory(long pid) {
        return Path.of("/proc", Long.toString(pid));
    }

    /** From "pid (program) state ...", where the program's name may have anything in it. */
    private static char stateIn(Path directory) {
        try {
            String stat = Files.readString(directory.resolve("stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException noSuchProcess) {
            return '?';
        }
    }
}
