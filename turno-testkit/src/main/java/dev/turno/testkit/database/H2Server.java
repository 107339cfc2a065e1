package dev.turno.testkit.database;

import dev.turno.testkit.process.ParentWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.h2.tools.Server;

/** The main class of an H2 server in a process of its own. */
final class H2Server {

    static final String READY = "H2 is ready";
    private static final String SUFFIX = ".mv.db";

    private H2Server() {}

    /** Arguments: the directory of the databases, and the port. */
    public static void main(String[] arguments) throws SQLException, IOException {
        ParentWatch.exitWithParent();
        open(Path.of(arguments[0]));
        Server.createTcpServer("-baseDir", arguments[0], "-tcpPort", arguments[1], "-ifNotExists")
                .start();
        System.out.println(READY);
    }

    /** What a killed server left is recovered before anybody is served, as other databases do it. They stay open: see DB_CLOSE_DELAY. */
    private static void open(Path directory) throws SQLException, IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(SUFFIX)).toList()) {
                String path = file.toAbsolutePath().toString();
                H2Engine.LOGIN.execute(
                        "jdbc:h2:" + path.substring(0, path.length() - SUFFIX.length()) + H2Engine.SETTINGS);
            }
        }
    }
}
