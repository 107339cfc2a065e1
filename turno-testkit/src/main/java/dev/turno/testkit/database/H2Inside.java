package dev.turno.testkit.database;

import java.nio.file.Path;
import java.sql.SQLException;
import org.h2.tools.Server;

/** H2 inside the process of an application, which lets others in as well: a test has to put, and to look. */
public final class H2Inside {

    /** By itself H2 opens files so that an interrupted thread closes them for everybody. */
    private static final String FILES = "async:";

    private H2Inside() {}

    /**
     * How the application itself reaches the database.
     *
     * @param file of a server that was {@link RestartableServer#shutDown shut down}
     */
    public static String url(Path file) {
        return "jdbc:h2:" + FILES + file.toAbsolutePath() + H2Engine.SETTINGS + H2Engine.DURABLE;
    }

    /** Called in the application's process when it has started: from now on others reach the database, where the server was. */
    public static void letIn(Path file, int port) {
        try {
            Server.createTcpServer(
                            "-baseDir", FILES + file.toAbsolutePath().getParent(), "-tcpPort", Integer.toString(port))
                    .start();
        } catch (SQLException taken) {
            throw new IllegalStateException("H2 cannot listen on port " + port + " for " + file, taken);
        }
    }
}
