package dev.turno.testkit.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Called first in the main class of a {@link ChildProcess}, so that the child does not outlive the test that started it. */
public final class ParentWatch {

    /** The exit code of a child whose parent is gone. */
    public static final int PARENT_GONE = 3;

    private ParentWatch() {}

    /** Halts this JVM when its parent dies or closes it. What the parent sends is thrown away. */
    public static void exitWithParent() {
        exitWithParent(line -> {});
    }

    /**
     * Halts this JVM when its parent dies or closes it, and until then hands over each line of {@link ChildProcess#send}.
     *
     * @param onLine is called on the watching thread, one line after the other; an exception in it ends the child, so that
     *     the parent hears of it
     */
    public static void exitWithParent(Consumer<String> onLine) {
        Thread thread = new Thread(() -> watch(onLine), "parent-watch");
        thread.setDaemon(true);
        thread.start();
    }

    /** The parent holds the other end of standard input, and the kernel closes it however the parent ends. */
    private static void watch(Consumer<String> onLine) {
        try {
            var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                onLine.accept(line);
            }
            exit(PARENT_GONE);
        } catch (IOException gone) {
            exit(PARENT_GONE);
        } catch (RuntimeException | Error failure) {
            failure.printStackTrace();
            exit(1);
        }
    }

    /** Halt, not exit: shutdown hooks give claims back and flush files, as no process does whose machine has just died. */
    private static void exit(int code) {
        System.out.flush();
        Runtime.getRuntime().halt(code);
    }
}
