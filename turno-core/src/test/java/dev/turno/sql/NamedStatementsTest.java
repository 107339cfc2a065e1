package dev.turno.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the code names is in every dialect, and what is in a dialect the code names: told here and not when it is first needed. */
class NamedStatementsTest {

    private static final List<String> FEATURES =
            List.of("holder", "lane", "inbox", "lock", "buffer", "task", "run", "action");

    private static final Pattern NAME =
            Pattern.compile("\"((?:" + String.join("|", FEATURES) + ")\\.[a-z][a-z0-9-]*)\"");

    /** Those whose names are put together from a feature's and an act's, where features share the code. */
    private static final Map<String, List<String>> PUT_TOGETHER = Map.of(
            "inbox",
            List.of(
                    "done",
                    "done-gone",
                    "done-commit",
                    "done-gone-commit",
                    "again",
                    "dead",
                    "settle-lock",
                    "outcome",
                    "renew",
                    "next-in-lane",
                    "give-turn",
                    "give-turn-to-head",
                    "free-slots",
                    "still-free-slots",
                    "free"),
            "task",
            List.of(
                    "done",
                    "done-gone",
                    "again",
                    "dead",
                    "settle-lock",
                    "outcome",
                    "renew",
                    "next-in-lane",
                    "give-turn",
                    "give-turn-to-head",
                    "free"),
            "run",
            List.of("next-in-lane", "give-turn", "free-slots", "still-free-slots", "free"),
            "buffer",
            List.of("free"));

    /** What a dialect does in another way, by one statement or by several, and need not have. */
    private static final Map<String, Predicate<String>> OTHERWISE = Map.of(
            "postgresql",
            Pattern.compile("lane\\.(find|add|advance)|(inbox|task)\\.take-classes|run\\.take-may|buffer\\.add-.*"
                            + "|buffer\\.(taken|done-sent|done-alive)")
                    .asMatchPredicate(),
            "h2",
            Pattern.compile("lane\\.draw|inbox\\.put-(taken|all-new)|inbox\\.done(-gone)?-commit|lock\\.take-known"
                            + "|buffer\\.(add|again|dead)")
                    .asMatchPredicate(),
            "mariadb",
            Pattern.compile("lane\\.draw|inbox\\.put-(taken|all-new)|inbox\\.done(-gone)?-commit|lock\\.take-known"
                            + "|buffer\\.(add-.*|again|dead)")
                    .asMatchPredicate());

    @Test
    void every_statement_that_the_code_names_is_in_every_dialect() {
        OTHERWISE.forEach((dialect, otherwise) -> {
            Set<String> there = Statements.load(dialect, FEATURES, "{now}").names();
            assertThat(named().stream().filter(name -> !otherwise.test(name) && !isThere(name, there)))
                    .as("what %s lacks", dialect)
                    .isEmpty();
        });
    }

    @Test
    void every_statement_of_a_dialect_is_named_in_the_code() {
        Set<String> named = named();
        for (String dialect : OTHERWISE.keySet()) {
            Set<String> there = Statements.load(dialect, FEATURES, "{now}").names();
            assertThat(there.stream().filter(name -> !named.contains(name) && !named.contains(whole(name))))
                    .as("what %s has for nobody", dialect)
                    .isEmpty();
        }
    }

    @Test
    void what_a_dialect_does_otherwise_it_does_not_have() {
        OTHERWISE.forEach(
                (dialect, otherwise) -> assertThat(Statements.load(dialect, FEATURES, "{now}").names().stream()
                                .filter(otherwise))
                        .as(dialect)
                        .isEmpty());
    }

    /** As one statement, or as one that finds and one that marks; a part of it, if the dialect needs no parts. */
    private static boolean isThere(String name, Set<String> there) {
        return there.contains(name)
                || (there.contains(name + "-find") && there.contains(name + "-mark"))
                || there.contains(whole(name));
    }

    private static String whole(String part) {
        return part.replaceFirst("-(find|mark)$", "");
    }

    private static Set<String> named() {
        Set<String> names = new TreeSet<>();
        PUT_TOGETHER.forEach((feature, acts) -> acts.forEach(act -> names.add(feature + "." + act)));
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(file -> names.addAll(namedIn(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return names;
    }

    private static Set<String> namedIn(Path file) {
        try {
            return NAME.matcher(Files.readString(file))
                    .results()
                    .map(found -> found.group(1))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
