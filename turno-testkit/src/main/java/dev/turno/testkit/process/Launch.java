package dev.turno.testkit.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** How to start a {@link ChildProcess}: the choices that {@link ChildProcess#start} makes for you. Not for several threads. */
public final class Launch {

    /** Names the run to who looks for processes that were left over. */
    private static final String MARK = "TURNO_TEST_RUN";

    /**
     * Quick to start and small, because tests start many: a client compiler only, no parallel collector. A child that runs out
     * of memory must be dead rather than half alive. Output is UTF-8 whatever the locale (one option for Java 17, one for 19+).
     */
    private static final List<String> QUICK_AND_SMALL = List.of(
            "-Xmx64m",
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dfile.encoding=UTF-8",
            "-Dsun.stdout.encoding=UTF-8",
            "-Dsun.stderr.encoding=UTF-8",
            "-Dstdout.encoding=UTF-8",
            "-Dstderr.encoding=UTF-8");

    private final String name;
    private final List<String> wrapper = new ArrayList<>();
    private final List<String> program = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private final List<String> tail = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private ProcessBuilder.Redirect input = ProcessBuilder.Redirect.PIPE;
    private boolean errorsInOutput;
    private String lastSignal = "KILL";
    private int linesKept = 1_000_000;
    private Consumer<String> onLine = line -> {};

    private Launch(String name, List<String> program) {
        this.name = name;
        this.program.addAll(program);
    }

    /** Runs a main class on this JVM's class path. */
    public static Launch main(Class<?> main) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var launch = new Launch(main.getSimpleName(), List.of(java));
        launch.options.addAll(QUICK_AND_SMALL);
        launch.tail.add(main.getName());
        // By environment, because a class path can be longer than a command line may be.
        return launch.environment("CLASSPATH", classPath());
    }

    /** Runs any program. */
    public static Launch command(String... command) {
        return new Launch(new File(command[0]).getName(), List.of(command));
    }

    /** Arguments of the program. */
    public Launch arguments(String... arguments) {
        tail.addAll(List.of(arguments));
        return this;
    }

    /** Options of the child's JVM; they win over the usual ones. */
    public Launch jvmOptions(String... jvmOptions) {
        options.addAll(List.of(jvmOptions));
        return this;
    }

    public Launch environment(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Lets another program start it, as in {@code through("faketime", "-f", "+2h")}. */
    public Launch through(String... command) {
        wrapper.addAll(List.of(command));
        return this;
    }

    /** Feeds it a file; {@link ChildProcess#send} then reaches nobody. */
    public Launch inputFrom(Path file) {
        input = ProcessBuilder.Redirect.from(file.toFile());
        return this;
    }

    /** Standard error goes among the lines of standard output. */
    public Launch errorsInOutput() {
        errorsInOutput = true;
        return this;
    }

    /** How many lines of its output are kept, instead of the last million. */
    public Launch keepLines(int lines) {
        linesKept = lines;
        return this;
    }

    /** Hands over each line of its output when it comes, on the thread that reads it; whoever is slow at that keeps the child waiting. */
    public Launch onLine(Consumer<String> listener) {
        onLine = listener;
        return this;
    }

    /** The signal that ends it at {@link ChildProcess#close} or with this JVM, instead of KILL; which follows if need be. */
    public Launch endedBy(String signal) {
        lastSignal = signal;
        return this;
    }

    public ChildProcess start() {
        RunDirectory run = RunDirectory.ofThisJvm();
        try {
            Process process = builder(run).start();
            run.watch(process, lastSignal);
            return new ChildProcess(name, process, lastSignal, linesKept, onLine);
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot start " + name + ": " + failure.getMessage(), failure);
        }
    }

    private ProcessBuilder builder(RunDirectory run) {
        var command = new ArrayList<>(wrapper);
        command.addAll(program);
        command.addAll(options);
        command.addAll(tail);
        var builder = new ProcessBuilder(command).redirectInput(input).redirectErrorStream(errorsInOutput);
        builder.environment().putAll(environment);
        builder.environment().put(MARK, run.toString());
        return builder;
    }

    /** Absolute, because a wrapper may change the working directory. */
    private static String classPath() {
        var absolute = new ArrayList<String>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            absolute.add(Path.of(entry).toAbsolutePath().toString());
        }
        return String.join(File.pathSeparator, absolute);
    }
}
