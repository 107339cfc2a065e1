package dev.turno.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Commands one after the other in one process of their own, with its own environment: a JVM for each would take a second each. */
public final class Commands {

    private static final String NEXT = "::";
    private static final String END = ":: exit ";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private record Ended(int code, String output) {}

    private final List<Ended> all;

    private Commands(List<Ended> all) {
        this.all = all;
    }

    /** The process. */
    public static void main(String[] arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        while (!all.isEmpty()) {
            int end = all.indexOf(NEXT);
            List<String> one = all.subList(0, end);
            int code = Main.commandLine().execute(one.toArray(String[]::new));
            System.out.println("\n" + END + code);
            all.subList(0, end + 1).clear();
        }
        System.exit(0);
    }

    public static Commands run(Map<String, String> environment, List<List<String>> commands) {
        Launch launch = Launch.main(Commands.class)
                .arguments(commands.stream()
                        .flatMap(one -> Stream.concat(one.stream(), Stream.of(NEXT)))
                        .toArray(String[]::new))
                .errorsInOutput();
        for (Map.Entry<String, String> one : environment.entrySet()) {
            launch = launch.environment(one.getKey(), one.getValue());
        }
        try (ChildProcess process = launch.start()) {
            int code = process.awaitExit(PATIENCE);
            assertThat(code).as(String.join("\n", process.lines())).isZero();
            return new Commands(split(process.lines()));
        }
    }

    private static List<Ended> split(List<String> lines) {
        List<Ended> all = new ArrayList<>();
        StringBuilder output = new StringBuilder();
        for (String line : lines) {
            if (line.startsWith(END)) {
                all.add(new Ended(Integer.parseInt(line.substring(END.length())), output.toString()));
                output.setLength(0);
            } else {
                output.append(line).append('\n');
            }
        }
        return all;
    }

    /** What the command of this number said, which must have ended with this code. */
    public String output(int command, int code) {
        Ended ended = all.get(command);
        assertThat(ended.code()).as(ended.output()).isEqualTo(code);
        return ended.output();
    }
}
