package dev.turno.testkit.database;

import dev.turno.testkit.process.Launch;
import java.nio.file.Path;
import java.sql.SQLException;

/** What differs from one kind of server to the next; the rest is in {@link RestartableServer}. One for each server. */
interface Engine {

    /** Makes an empty server in a new directory. */
    void prepare(Path directory);

    /** How to start the server of a prepared directory. */
    Launch launch(Path directory, int port);

    /** Whether the server takes connections, now that it has printed this line. */
    boolean isReady(String line);

    /** The signal for an orderly shutdown that does not wait for clients. */
    String orderly();

    Login login();

    /** How to reach a database, with timeouts: no driver has useful ones of its own, and a silent partition would hang a test. */
    String url(int port, String database);

    /** Makes an empty database under a name that this server never had before, and tells the name. */
    String create(int port) throws SQLException;

    void drop(Path directory, int port, String database) throws SQLException;

    /** Cleans up what a killed server leaves outside of its directory. */
    default void removeTraces(Path directory) {}
}
