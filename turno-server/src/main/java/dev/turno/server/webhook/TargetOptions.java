package dev.turno.server.webhook;

import dev.turno.buffer.BufferOptions;
import dev.turno.inbox.InboxOptions;
import dev.turno.task.TaskOptions;
import dev.turno.web.api.Inputs;
import dev.turno.worker.Backoff;
import dev.turno.worker.WorkerSettings;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options of targets by name: of the worker, which all kinds have, and of each kind. */
final class TargetOptions {

    private static final List<String> OF_WORKERS =
            List.of("threads", "virtual-threads", "batch", "max-run", "max-attempts", "backoff", "poll");
    private static final List<String> OF_BUFFERS = List.of(
            "concurrency",
            "quiet",
            "max-wait",
            "max-count",
            "max-bytes",
            "max-body",
            "keep-ids",
            "expiry",
            "flush-words");
    private static final List<String> OF_TASKS = List.of("concurrency", "keep", "in-memory", "memory");
    private static final String LONGEST_BACKOFF = "10m";

    private TargetOptions() {}

    /**
     * From the names and values of the API: {@code maxAttempts} is {@code max-attempts}, a backoff may leave out its end, and words come
     * as an array or with commas between them.
     */
    static Map<String, String> ofApi(Map<String, ?> fields) {
        Map<String, String> options = new TreeMap<>();
        fields.forEach(
                (name, value) -> options.put(name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT), text(value)));
        options.computeIfPresent("backoff", (name, text) -> text.contains("..") ? text : text + ".." + longest(text));
        return options;
    }

    private static String text(@Nullable Object value) {
        return value instanceof Collection<?> several
                ? several.stream().map(String::valueOf).collect(Collectors.joining(","))
                : String.valueOf(value);
    }

    private static String longest(String first) {
        return Inputs.duration("backoff", first).compareTo(Inputs.duration("backoff", LONGEST_BACKOFF)) > 0
                ? first
                : LONGEST_BACKOFF;
    }

    static InboxOptions inbox(Map<String, String> options) {
        Map<String, String> all = new HashMap<>(options);
        // A place in the cluster is a place in each process too: more threads than places would only wait for them.
        Optional.ofNullable(options.get("concurrency")).ifPresent(places -> all.putIfAbsent("threads", places));
        return InboxOptions.of(all);
    }

    static BufferOptions buffer(Map<String, String> options) {
        requireKnown("buffer", options, OF_BUFFERS);
        return BufferOptions.of(builder -> options.forEach((name, value) -> {
            ofWorker(builder, name, value);
            ofBuffer(builder, name, value);
        }));
    }

    static TaskOptions task(Map<String, String> options) {
        requireKnown("task", options, OF_TASKS);
        return TaskOptions.of(builder -> options.forEach((name, value) -> {
            ofWorker(builder, name, value);
            ofTask(builder, name, value);
        }));
    }

    /** {@code concurrency} is for each process here. */
    private static void ofWorker(WorkerSettings.Choices<?> builder, String name, String value) {
        switch (name) {
            case "threads", "concurrency" -> builder.threads(number(name, value));
            case "virtual-threads" -> builder.virtualThreads(yesOrNo(name, value));
            case "batch" -> builder.batch(number(name, value));
            case "max-run" -> builder.maxRun(Inputs.duration(name, value));
            case "max-attempts" -> builder.maxAttempts(number(name, value));
            case "backoff" -> builder.backoff(backoff(value));
            case "poll" -> builder.poll(Inputs.duration(name, value));
            default -> {
                // One of the kind's own.
            }
        }
    }

    private static Backoff backoff(String value) {
        String[] ends = value.split("\\.\\.", -1);
        if (ends.length != 2) {
            throw new IllegalArgumentException(
                    "'backoff' is '" + value + "'; write it as 1s..10m. Nothing was changed.");
        }
        return Backoff.exponential(Inputs.duration("backoff", ends[0]), Inputs.duration("backoff", ends[1]));
    }

    private static void ofBuffer(BufferOptions.Builder builder, String name, String value) {
        switch (name) {
            case "quiet" -> builder.quiet(Inputs.duration(name, value));
            case "max-wait" -> builder.maxWait(Inputs.duration(name, value));
            case "max-count" -> builder.maxCount(number(name, value));
            case "max-bytes" -> builder.maxBytes(longNumber(name, value));
            case "max-body" -> builder.maxBody(number(name, value));
            case "keep-ids" -> builder.keepIds(Inputs.duration(name, value));
            case "expiry" -> builder.expiry(Inputs.duration(name, value));
            case "flush-words" -> builder.flushWords(value.split(",", -1));
            default -> {
                // One of the worker's, or told apart before.
            }
        }
    }

    private static void ofTask(TaskOptions.Builder builder, String name, String value) {
        switch (name) {
            case "keep" -> builder.keep(Inputs.duration(name, value));
            case "in-memory" -> builder.inMemory(number(name, value));
            case "memory" -> builder.memory(longNumber(name, value));
            default -> {
                // One of the worker's, or told apart before.
            }
        }
    }

    private static void requireKnown(String kind, Map<String, String> options, List<String> own) {
        Set<String> known = new TreeSet<>(OF_WORKERS);
        known.addAll(own);
        for (String name : options.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("There is no " + kind + " option '" + name + "'. The options are "
                        + String.join(", ", known) + ". Nothing was changed.");
            }
        }
    }

    private static boolean yesOrNo(String name, String value) {
        return switch (value.strip()) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new IllegalArgumentException(
                        "'" + name + "' is '" + value + "'; use true or false. Nothing was changed.");
        };
    }

    private static int number(String name, String value) {
        return number(name, value, Integer::valueOf);
    }

    private static long longNumber(String name, String value) {
        return number(name, value, Long::valueOf);
    }

    private static <N extends Number> N number(String name, String value, Function<String, N> read) {
        try {
            return read.apply(value.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'" + name + "' is '" + value + "'; use a number. Nothing was changed.", e);
        }
    }
}
