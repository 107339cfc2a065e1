package dev.turno.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The named statements of one dialect, read from its files, each made ready when it is first used. Shared by threads. */
public final class Statements {

    /**
     * One statement ready for JDBC: the text with question marks, and the names behind them in order. {@code before} counts
     * statements that go before it in the same message to the server, separated by a semicolon at the end of a line; those inside of
     * a compound statement belong to it.
     */
    record Parsed(String name, String text, List<String> parameters, int before) {}

    private static final Pattern NAME = Pattern.compile("^-- name: ([a-z0-9.-]+)\\s*$");

    // A comment, a literal, a cast, or a parameter: only the last is replaced.
    private static final Pattern TOKEN = Pattern.compile("--[^\n]*|'[^']*'|::|:([a-z][a-z0-9_]*)");

    private final Map<String, String> texts;
    private final Map<String, Parsed> parsed = new ConcurrentHashMap<>();

    private Statements(Map<String, String> texts) {
        this.texts = texts;
    }

    /** Loads {@code feature.sql} for each feature; {@code {now}} becomes {@code clock}. */
    static Statements load(String folder, List<String> features, String clock) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String feature : features) {
            named(resource(folder, feature))
                    .forEach((name, text) -> texts.put(feature + "." + name, text.replace("{now}", clock)));
        }
        return new Statements(Map.copyOf(texts));
    }

    Parsed get(String name) {
        Parsed known = parsed.get(name);
        return known != null ? known : parsed.computeIfAbsent(name, this::parse);
    }

    private Parsed parse(String name) {
        require(name);
        return parse(name, texts.getOrDefault(name, ""));
    }

    public Set<String> names() {
        return texts.keySet();
    }

    /** Fails at start-up, not at three in the morning, if the dialect lacks a statement that a feature needs. */
    public void require(String... names) {
        for (String name : names) {
            if (!texts.containsKey(name)) {
                throw new IllegalStateException("There is no statement '" + name + "' for this database.");
            }
        }
    }

    static String resource(String folder, String feature) {
        String path = folder + "/" + feature + ".sql";
        try (InputStream in = Statements.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("The file dev/turno/sql/" + path + " is missing from turno-core.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> named(String file) {
        Map<String, String> texts = new LinkedHashMap<>();
        String name = "";
        StringBuilder text = new StringBuilder();
        for (String line : file.lines().toList()) {
            Matcher matcher = NAME.matcher(line);
            if (line.startsWith("-- ") && matcher.matches()) {
                addTo(texts, name, text);
                name = matcher.group(1);
                text.setLength(0);
            } else {
                text.append(line).append('\n');
            }
        }
        addTo(texts, name, text);
        return texts;
    }

    private static void addTo(Map<String, String> texts, String name, StringBuilder text) {
        if (!name.isEmpty() && texts.put(name, text.toString()) != null) {
            throw new IllegalStateException("Statement '" + name + "' stands twice in one file.");
        }
    }

    static Parsed parse(String name, String text) {
        List<String> parameters = new ArrayList<>();
        StringBuilder jdbc = new StringBuilder();
        Matcher matcher = TOKEN.matcher(text);
        while (matcher.find()) {
            String parameter = matcher.group(1);
            if (parameter != null) {
                parameters.add(parameter);
            }
            matcher.appendReplacement(jdbc, parameter != null ? "?" : replacementOf(matcher.group()));
        }
        matcher.appendTail(jdbc);
        String statement = withoutSemicolon(jdbc.toString().strip());
        boolean compound = statement.startsWith("begin not atomic");
        int before = compound
                ? 0
                : (int) statement.lines().filter(line -> line.endsWith(";")).count();
        return new Parsed(name, statement, List.copyOf(parameters), before);
    }

    private static String replacementOf(String token) {
        return token.startsWith("--") ? "" : Matcher.quoteReplacement(token);
    }

    private static String withoutSemicolon(String text) {
        return text.endsWith(";") ? text.substring(0, text.length() - 1) : text;
    }
}
