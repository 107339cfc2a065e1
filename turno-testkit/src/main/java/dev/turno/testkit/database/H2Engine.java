package dev.turno.testkit.database;

import dev.turno.testkit.process.Launch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** H2: in this JVM's memory, or behind a TCP server in a process of its own that writes files. */
final class H2Engine implements Engine {

    /** The administrator, because only that user may set WRITE_DELAY. */
    static final Login LOGIN = new Login("sa", "");

    /** By itself H2 gives up on a row lock after a second or two; the other databases after a minute, or never. */
    static final String SETTINGS = ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=" + Timeouts.LOCK.toMillis();

    /** By itself a killed H2 loses commits that it has acknowledged. */
    static final String DURABLE = ";WRITE_DELAY=0";

    private static final AtomicInteger NAMES_IN_MEMORY = new AtomicInteger();

    private final AtomicInteger names = new AtomicInteger();

    static FreshDatabase inMemory() {
        String name = "t_" + NAMES_IN_MEMORY.incrementAndGet();
        String url = "jdbc:h2:mem:" + name + SETTINGS;
        return FreshDatabase.withoutPort(TestDatabase.H2, name, url, LOGIN, () -> forget(url));
    }

    private static void forget(String url) {
        try {
            LOGIN.execute(url, "shutdown immediately");
        } catch (SQLException failure) {
            throw new IllegalStateException("Cannot close " + url, failure);
        }
    }

    @Override
    public void prepare(Path directory) {}

    @Override
    public Launch launch(Path directory, int port) {
        return Launch.main(H2Server.class)
                .jvmOptions("-Xmx256m", "-Dh2.bindAddress=127.0.0.1")
                .arguments(directory.toString(), Integer.toString(port));
    }

    @Override
    public boolean isReady(String line) {
        return line.equals(H2Server.READY);
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
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/./" + database + SETTINGS + DURABLE + ";NETWORK_TIMEOUT="
                + Timeouts.ANSWER.toMillis();
    }

    @Override
    public String create(int port) throws SQLException {
        String name = "t_" + names.incrementAndGet();
        LOGIN.execute(url(port, name));
        return name;
    }

    @Override
    public void drop(Path directory, int port, String database) throws SQLException {
        LOGIN.execute(url(port, database), "shutdown immediately");
        try {
            Files.deleteIfExists(directory.resolve(database + ".mv.db"));
            Files.deleteIfExists(directory.resolve(database + ".trace.db"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
