package dev.turno.fuzz;

import dev.turno.testkit.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code ./turno fuzz [TARGET] [--seconds N]}: one target after the other, each for so many seconds. What leads somewhere is kept in
 * {@code target/fuzz}, so that the next run goes on from there; a finding is shown and stays there too.
 */
public final class Fuzz {

    private static final Path KEPT = Path.of("target", "fuzz");
    private static final Duration START = Duration.ofMinutes(2);

    private Fuzz() {}

    public static void main(String[] arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(arguments));
        Duration time;
        List<Target> targets;
        try {
            time = Duration.ofSeconds(seconds(words));
            targets = words.isEmpty()
                    ? Arrays.asList(Target.values())
                    : words.stream().map(Target::named).toList();
        } catch (IllegalArgumentException e) {
            System.err.println("turno: " + e.getMessage());
            System.exit(2);
            return;
        }
        boolean good = true;
        for (Target target : targets) {
            good &= isGood(target, time);
        }
        System.exit(good ? 0 : 1);
    }

    private static int seconds(List<String> words) {
        int place = words.indexOf("--seconds");
        if (place < 0) {
            return 60;
        }
        if (place + 1 == words.size()) {
            throw new IllegalArgumentException("--seconds needs a value.");
        }
        int seconds = Integer.parseInt(words.get(place + 1));
        words.subList(place, place + 2).clear();
        return seconds;
    }

    private static boolean isGood(Target target, Duration time) throws IOException {
        Path corpus = Files.createDirectories(KEPT.resolve(target.label()).resolve("corpus"));
        Path found = Files.createDirectories(KEPT.resolve(target.label()).resolve("found"));
        try (ChildProcess jazzer = Jazzers.start(target.type(), time, found, List.of(corpus, target.corpus()))) {
            int exit = jazzer.awaitExit(time.plus(START));
            System.out.printf(
                    "fuzz: %-13s %12s runs, %5s inputs kept, %s%n",
                    target.label(),
                    stat(jazzer, "number_of_executed_units"),
                    stat(jazzer, "new_units_added"),
                    verdict(exit, found));
            if (exit != 0) {
                jazzer.lines().stream()
                        .skip(Math.max(0, jazzer.lines().size() - 60))
                        .forEach(System.out::println);
            }
            return exit == 0;
        }
    }

    /** Jazzer leaves a file for each finding; without one it was ended by somebody, or could not begin. */
    private static String verdict(int exit, Path found) {
        if (exit == 0) {
            return "nothing found";
        }
        String[] files = found.toFile().list();
        return files != null && files.length > 0
                ? "FOUND SOMETHING, see turno-server/" + found
                : "ENDED BEFORE ITS TIME with exit code " + exit;
    }

    private static String stat(ChildProcess jazzer, String name) {
        return jazzer.lines().stream()
                .filter(line -> line.startsWith("stat::" + name))
                .map(line -> line.replaceAll(".*: *", ""))
                .findFirst()
                .orElse("?");
    }
}
