package dev.turno.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The words after a command's name. What the command does not ask for is refused by {@link #end}, before anything has begun: a run of an
 * hour with a misspelt option would show something else than was wished. Not shared by threads.
 */
public final class Options {

    /** With the command's words read; answers the exit code. */
    @FunctionalInterface
    public interface Command {
        int run(Options options) throws Exception;
    }

    private static final int WRONG_USAGE = 2;

    private final List<String> left;
    private final TreeSet<String> known = new TreeSet<>();

    Options(String... words) {
        left = new ArrayList<>(List.of(words));
    }

    /** Runs it; words that cannot be used are said on standard error, and the exit code is 2. */
    public static int run(String[] words, Command command) throws Exception {
        try {
            return command.run(new Options(words));
        } catch (WrongOptionException e) {
            System.err.println("turno: " + e.getMessage());
            return WRONG_USAGE;
        }
    }

    public boolean flag(String name) {
        known.add(name);
        return left.remove(name);
    }

    public Optional<String> text(String name) {
        known.add(name);
        int place = left.indexOf(name);
        if (place < 0) {
            return Optional.empty();
        }
        if (place + 1 == left.size() || left.get(place + 1).startsWith("--")) {
            throw new WrongOptionException(name + " needs a value.");
        }
        left.remove(place);
        return Optional.of(left.remove(place));
    }

    public long number(String name, long usual, long least, long most) {
        return text(name).map(word -> number(name, word, least, most)).orElse(usual);
    }

    private static long number(String name, String word, long least, long most) {
        long number;
        try {
            number = Long.parseLong(word);
        } catch (NumberFormatException e) {
            throw new WrongOptionException(name + " " + word + " is no whole number.");
        }
        if (number < least || number > most) {
            throw new WrongOptionException(name + " " + word + " is not within " + least + " and " + most + ".");
        }
        return number;
    }

    public <E extends Enum<E>> E one(String name, E usual) {
        return text(name)
                .map(word -> named(name, usual.getDeclaringClass(), word))
                .orElse(usual);
    }

    /** Those named with commas between; all if there is no such option, or it says {@code all}. */
    public <E extends Enum<E>> List<E> some(String name, Class<E> type) {
        return text(name)
                .filter(words -> !words.equals("all"))
                .map(words -> Arrays.stream(words.split(",", -1))
                        .map(word -> named(name, type, word))
                        .toList())
                .orElse(List.of(type.getEnumConstants()));
    }

    private static <E extends Enum<E>> E named(String option, Class<E> type, String word) {
        return Arrays.stream(type.getEnumConstants())
                .filter(one -> word(one).equalsIgnoreCase(word.replace('_', '-')))
                .findFirst()
                .orElseThrow(() -> new WrongOptionException(option + " names '" + word + "'. Use one of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(Options::word)
                                .toList()
                        + "."));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public void require(boolean fits, String otherwise) {
        if (!fits) {
            throw new WrongOptionException(otherwise);
        }
    }

    /** After the last question, and before anything begins. */
    public void end() {
        if (!left.isEmpty()) {
            throw new WrongOptionException("'" + left.get(0) + "' is not known here. The options are " + known + ".");
        }
    }
}
