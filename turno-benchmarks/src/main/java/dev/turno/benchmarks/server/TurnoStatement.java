package dev.turno.benchmarks.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of the inbox's statements, word for word as Turno runs it, to be run without Turno.
 *
 * @param before what Turno sends along in front of it, in the same message and transaction; often nothing
 * @param text with question marks
 * @param parameters the names behind them
 */
public record TurnoStatement(String name, String before, String text, List<String> parameters) {

    private static final String FILE = "/dev/turno/sql/postgresql/inbox.sql";
    private static final Pattern PARAMETER = Pattern.compile("::|:([a-z][a-z0-9_]*)");

    public static TurnoStatement named(String name) {
        String all = textOf(name).replace("{now}", "statement_timestamp()");
        int end = all.lastIndexOf(";\n") + 1;
        List<String> parameters = new ArrayList<>();
        String jdbc = PARAMETER.matcher(all.substring(end).strip()).replaceAll(found -> {
            if (found.group(1) == null) {
                return found.group();
            }
            parameters.add(found.group(1));
            return "?";
        });
        return new TurnoStatement(name, all.substring(0, end), jdbc, List.copyOf(parameters));
    }

    /** With what goes before it, as Turno sends it. */
    public PreparedStatement prepare(Connection connection) throws SQLException {
        return connection.prepareStatement(before + text);
    }

    /** Runs what {@link #prepare} gave; its rows, or the count of them, are the statement's current result then. */
    public void run(PreparedStatement prepared) throws SQLException {
        prepared.execute();
        for (long i = before.lines().count(); i > 0; i--) {
            prepared.getMoreResults();
        }
    }

    private static String textOf(String name) {
        Matcher matcher = Pattern.compile("(?ms)^-- name: " + Pattern.quote(name) + "$(.*?)(?=^-- name:|\\z)")
                .matcher(file());
        if (!matcher.find()) {
            throw new IllegalStateException("There is no statement '" + name + "' in turno-core's " + FILE + ".");
        }
        String text = matcher.group(1).replaceAll("--[^\n]*", "").strip();
        return text.substring(0, text.length() - 1); // the semicolon at its end
    }

    private static String file() {
        try (InputStream in = TurnoStatement.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("turno-core on the class path has no " + FILE + ".");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sets all parameters. Lists of longs become arrays of the database. */
    public void bind(PreparedStatement prepared, Map<String, Object> values) throws SQLException {
        Connection connection = prepared.getConnection();
        for (int i = 0; i < parameters.size(); i++) {
            Object value = values.get(parameters.get(i));
            if (value == null) {
                throw new IllegalStateException("Turno's statement '" + name + "' has a parameter :" + parameters.get(i)
                        + " that the benchmark does not know. Teach it to the caller.");
            }
            prepared.setObject(
                    i + 1,
                    value instanceof List<?> numbers
                            ? connection.createArrayOf("int8", numbers.toArray(new Long[0]))
                            : value);
        }
    }
}
