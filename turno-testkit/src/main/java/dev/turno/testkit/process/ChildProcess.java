package dev.turno.testkit.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A process that a test has started and may kill, freeze, wake, talk to and listen to. Threads may share it.
 *
 * <p>The last million lines of its output are kept, or {@link Launch#keepLines}, and the last thousand of its errors.
 */
public final class ChildProcess implements AutoCloseable {

    private static final int ERRORS_KEPT = 1_000;
    private static final int LINES_SHOWN = 50;
    private static final long A_MOMENT = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long A_WHILE = TimeUnit.SECONDS.toNanos(5);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration DEATH = Duration.ofSeconds(30);

    private final String name;
    private final Process process;
    private final String lastSignal;
    private final Lines output;
    private final Lines errors = new Lines(ERRORS_KEPT);

    ChildProcess(String name, Process process, String lastSignal, int linesKept, Consumer<String> onLine) {
        this.name = name;
        this.process = process;
        this.lastSignal = lastSignal;
        this.output = new Lines(linesKept);
        listen("output", process.getInputStream(), output, onLine);
        listen("errors", process.getErrorStream(), errors, line -> {});
    }

    /** Runs a main class in a JVM of its own, on the class path of this one. */
    public static ChildProcess start(Class<?> main, String... arguments) {
        return Launch.main(main).arguments(arguments).start();
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** What it has printed so far. */
    public List<String> lines() {
        return output.all();
    }

    /** What it has printed to standard error so far. */
    public List<String> errors() {
        return errors.all();
    }

    /**
     * Waits for a line among those after the line that the last call returned.
     *
     * @throws AssertionError if it does not come in time, or if the child ends without it; the message shows what came instead
     */
    public String awaitLine(Predicate<String> wanted, Duration timeout) {
        return uninterrupted(() -> output.await(wanted, timeout))
                .orElseThrow(() -> failure("did not print the awaited line within " + timeout));
    }

    /**
     * Waits until it has ended by itself and tells its exit code.
     *
     * @throws AssertionError if it does not end in time
     */
    public int awaitExit(Duration timeout) {
        if (!hasEndedWithin(timeout)) {
            throw failure("did not end within " + timeout);
        }
        return process.exitValue();
    }

    /**
     * Writes a line to its standard input.
     *
     * @throws AssertionError if it is no longer there to read it
     */
    public synchronized void send(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException gone) {
            throw failure("could not be sent '" + line + "'");
        }
    }

    /**
     * SIGKILL to it and to the processes it has started: nothing is cleaned up, no last word is said. All that it printed before
     * is in {@link #lines()} when this returns.
     */
    public void kill9() {
        List<ProcessHandle> victims = List.of();
        if (isAlive()) { // else its number may be somebody else's by now
            freezeHead();
            victims = family();
            victims.forEach(ProcessHandle::destroyForcibly);
        }
        if (!hasEndedWithin(DEATH)) {
            throw failure("is still there " + DEATH + " after kill -9");
        }
        awaitAll(victims, ChildProcess::isDead);
    }

    /** SIGSTOP to it and to those it has started: frozen until {@link #cont()}. From outside, a very long garbage collection. */
    public void stop() {
        freezeHead();
        List<ProcessHandle> family = family();
        signal("STOP", family);
        awaitAll(family, each -> !KernelState.isRunningOn(each.pid()));
    }

    /** SIGCONT: goes on where it was stopped, as if no time had passed. */
    public void cont() {
        signal("CONT", family());
    }

    /** Sends it any other signal, such as {@code TERM}. */
    public void signal(String signal) {
        signal(signal, List.of(process.toHandle()));
    }

    /** Ends it, with {@link #kill9()} unless {@link Launch#endedBy} knows better. Nothing if it is dead already. */
    @Override
    public void close() {
        if (isAlive() && !lastSignal.equals("KILL")) {
            signal(lastSignal);
            var unused = hasEndedWithin(PATIENCE);
        }
        kill9();
    }

    /** Whether a process is gone, or a zombie: one that runs no more and waits for its parent, or for init, to take notice. */
    public static boolean isDead(ProcessHandle process) {
        return !process.isAlive() || KernelState.isZombie(process.pid());
    }

    @Override
    public String toString() {
        return name + " (pid " + process.pid() + ")";
    }

    /** An error that tells what the child printed, for who expected something else of it. */
    public AssertionError failure(String whatHappened) {
        return new AssertionError(this + " " + whatHappened + ". It " + state() + "\nIts last output:\n" + shown(output)
                + "\nIts last errors:\n" + shown(errors));
    }

    private String state() {
        return hasEnded() ? "has ended with exit code " + process.exitValue() + "." : "is running.";
    }

    /** The end of the output is seen a moment before the exit code is known. */
    private boolean hasEnded() {
        boolean silent = uninterrupted(() -> output.awaitEnd(Duration.ZERO));
        return silent ? hasEndedWithin(DEATH) : !process.isAlive();
    }

    private static String shown(Lines lines) {
        return String.join("\n", lines.last(LINES_SHOWN)).indent(4);
    }

    private void signal(String signal, List<ProcessHandle> processes) {
        if (!isSent(signal, processes) && !isAlive()) {
            throw failure("could not be sent SIG" + signal);
        }
    }

    /** By the shell's own kill, because small images have no kill program. */
    private static boolean isSent(String signal, List<ProcessHandle> processes) {
        var command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$@\"", "kill", signal));
        processes.forEach(each -> command.add(Long.toString(each.pid())));
        try {
            return uninterrupted(new ProcessBuilder(command).start()::waitFor) == 0;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private boolean hasEndedWithin(Duration timeout) {
        return uninterrupted(() -> process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)
                && output.awaitEnd(DEATH)
                && errors.awaitEnd(DEATH));
    }

    /** So that none is born behind the back of who counts them: it would live on, a server's backend for ever in its last commit. */
    private void freezeHead() {
        List<ProcessHandle> head = List.of(process.toHandle());
        if (isSent("STOP", head)) {
            awaitAll(head, each -> !KernelState.isRunningOn(each.pid()));
        }
    }

    private List<ProcessHandle> family() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
    }

    /** For a while at most: none of these is ours to wait for, and nothing depends on it but the order of things. */
    private static void awaitAll(List<ProcessHandle> processes, Predicate<ProcessHandle> condition) {
        long start = System.nanoTime();
        while (!processes.stream().allMatch(condition) && System.nanoTime() - start < A_WHILE) {
            LockSupport.parkNanos(A_MOMENT);
        }
    }

    private void listen(String what, InputStream stream, Lines lines, Consumer<String> onLine) {
        Thread thread = new Thread(() -> read(stream, lines, onLine), what + " of " + this);
        thread.setDaemon(true);
        thread.start();
    }

    private static void read(InputStream stream, Lines lines, Consumer<String> onLine) {
        try (var reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
                onLine.accept(line);
            }
        } catch (IOException closed) {
            // Killed while it printed: what came before is kept.
        } finally {
            lines.end();
        }
    }

    private interface Wait<T> {
        T await() throws InterruptedException;
    }

    private static <T> T uninterrupted(Wait<T> wait) {
        try {
            return wait.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a child process", stopped);
        }
    }
}
