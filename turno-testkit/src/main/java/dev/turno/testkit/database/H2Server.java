package dev.turno.testkit.database;

import dev.turno.testkit.process.ParentWatch;
import java.sql.SQLException;
import org.h2.tools.Server;

/** The main class of an H2 server in a process of its own. */
final class H2Server {

    static final String READY = "H2 is ready";

    private H2Server() {}

    /** Arguments: the directory of the databases, and the port. */
    public static void main(String[] arguments) throws SQLException {
        ParentWatch.exitWithParent();
        Server.createTcpServer("-baseDir", arguments[0], "-tcpPort", arguments[1], "-ifNotExists")
                .start();
        System.out.println(READY);
    }
}
