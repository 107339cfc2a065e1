package dev.turno.inbox;

import dev.turno.sql.Nearest;
import dev.turno.worker.Backoff;
import dev.turno.worker.FinishMode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The options' names in configuration files. */
final class InboxOptionNames {

    private static final Map<String, BiConsumer<InboxOptions.Builder, String>> BY_NAME = new TreeMap<>(Map.ofEntries(
            Map.entry("threads", (builder, value) -> builder.threads(number(value))),
            Map.entry("virtual-threads", (builder, value) -> builder.virtualThreads(yesOrNo(value))),
            Map.entry("batch", (builder, value) -> builder.batch(number(value))),
            Map.entry("max-run", (builder, value) -> builder.maxRun(duration(value))),
            Map.entry("max-attempts", (builder, value) -> builder.maxAttempts(number(value))),
            Map.entry("backoff", (builder, value) -> builder.backoff(backoff(value))),
            Map.entry("finish", (builder, value) -> builder.finish(finishMode(value))),
            Map.entry("poll", (builder, value) -> builder.poll(duration(value))),
            Map.entry("keep", InboxOptionNames::keep),
            Map.entry("concurrency", (builder, value) -> builder.concurrency(number(value))),
            Map.entry("max-body", (builder, value) -> builder.maxBody(number(value))),
            Map.entry("dead-blocks-its-key", (builder, value) -> builder.deadBlocksItsKey(yesOrNo(value)))));

    private InboxOptionNames() {}

    static void apply(InboxOptions.Builder builder, String name, String value) {
        BiConsumer<InboxOptions.Builder, String> option = BY_NAME.get(name);
        if (option == null) {
            throw new IllegalArgumentException(
                    "There is no inbox option '" + name + "'. " + Nearest.of(name, BY_NAME.keySet()));
        }
        try {
            option.accept(builder, value.strip());
        } catch (IllegalArgumentException | DateTimeParseException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "The inbox option '" + name + "' cannot be '" + value + "': " + e.getMessage() + ".", e);
        }
    }

    private static void keep(InboxOptions.Builder builder, String value) {
        if (value.equals("none")) {
            builder.keepNone();
        } else {
            builder.keep(duration(value));
        }
    }

    private static int number(String value) {
        return Integer.parseInt(value);
    }

    private static boolean yesOrNo(String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("use true or false");
        };
    }

    private static FinishMode finishMode(String value) {
        return FinishMode.valueOf(value.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** {@code 1s..10m}: the first and the longest wait. */
    private static Backoff backoff(String value) {
        String[] ends = value.split("\\.\\.", -1);
        if (ends.length != 2) {
            throw new IllegalArgumentException("write the first and the longest wait, as in 1s..10m");
        }
        return Backoff.exponential(duration(ends[0]), duration(ends[1]));
    }

    /** ISO-8601, or short: {@code 250ms}, {@code 2s}, {@code 10m}, {@code 3h}, {@code 7d}. */
    static Duration duration(String value) {
        String text = value.strip().toLowerCase(Locale.ROOT);
        if (text.endsWith("ms")) {
            return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
        }
        if (text.endsWith("d") && !text.startsWith("p")) {
            return Duration.ofDays(Long.parseLong(text.substring(0, text.length() - 1)));
        }
        return Duration.parse(text.startsWith("p") ? text : "pt" + text);
    }
}
