package dev.turno.web.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A file of named statements, or a script that creates tables.
 *
 * @param beside the class from which the path is looked for
 */
public record SqlFile(Class<?> beside, String path) {

    private static final Pattern NAME = Pattern.compile("(?m)^-- name: ");
    private static final Pattern COMMENT = Pattern.compile("--[^\n]*");
    private static final int TRIES = 10;
    private static final long PAUSE_MS = 100;

    public String text() {
        try (InputStream in = beside.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("The file " + path + " is missing beside " + beside + ".");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each statement by its name. */
    public Map<String, String> statements(Dialect dialect) {
        Map<String, String> statements = new LinkedHashMap<>();
        String[] parts = NAME.split(text(), -1); // before the first one: what the file is for
        for (int i = 1; i < parts.length; i++) {
            String[] nameAndText = parts[i].split("\n", 2);
            String statement = nameAndText[1].strip().replaceFirst(";$", "");
            statements.put(nameAndText[0].strip(), statement.replace("{now}", dialect.clock()));
        }
        return statements;
    }

    /** Runs the whole file as {@link #run(JdbcClient, String)} does. */
    public void run(JdbcClient client) {
        run(client, text());
    }

    /** Runs a script. Several processes may do it at once, if it creates only what is missing. */
    public static void run(JdbcClient client, String script) {
        for (int tries = 1; ; tries++) {
            try {
                runOnce(client, script);
                return;
            } catch (DataAccessException e) {
                // Two that create the same table at the same moment: the loser looks again.
                if (tries == TRIES) {
                    throw e;
                }
                rest();
            }
        }
    }

    private static void runOnce(JdbcClient client, String script) {
        for (String statement : COMMENT.matcher(script).replaceAll("").split(";", -1)) {
            if (!statement.isBlank()) {
                client.sql(statement).update();
            }
        }
    }

    private static void rest() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
