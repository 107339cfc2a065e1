package dev.turno.testkit.database;

import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import dev.turno.testkit.process.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;

/**
 * PgBouncer in transaction mode before a PostgreSQL: each transaction, and each statement outside of one, is run by whichever
 * session is next in turn, so nothing of a session may be relied upon. The program is the machine's own. Threads may share it.
 */
public final class PgBouncer implements AutoCloseable {

    /** {@code -Dturno.test.databases=pgbouncer} runs the tests of PostgreSQL through it. */
    static final String CHOICE = "pgbouncer";

    private static final Duration START = Duration.ofSeconds(30);
    private static final Pattern VERSION = Pattern.compile("PgBouncer (\\d+)\\.(\\d+)");
    private static final List<String> ELSEWHERE = List.of("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin");
    private static final String MISSING = "PgBouncer is not installed here: apt-get install pgbouncer";

    private final RestartableServer server;
    private final Path directory;
    private final int port;
    private final ChildProcess process;
    private final boolean prepares;

    private PgBouncer(RestartableServer server, int sessions, int prepared) {
        this.server = server;
        this.directory = RunDirectory.ofThisJvm().newDirectory(CHOICE);
        this.port = Ports.free();
        this.prepares = prepared > 0;
        this.process = launch(configuration(sessions, prepared));
    }

    /** Whether there is such a program on this machine. */
    public static boolean isInstalled() {
        return program().isPresent();
    }

    /** Skips the test, and says how to install it, if it is not. */
    public static void assumeInstalled() {
        Assumptions.assumeTrue(isInstalled(), () -> Missing.SAID);
    }

    /** Whether it can look after prepared statements, which those before 1.21 cannot. */
    public static boolean canPrepare() {
        return isInstalled() && Version.OF_THE_PROGRAM >= 121;
    }

    /** With up to twenty sessions for each database, and without prepared statements. */
    public static PgBouncer before(RestartableServer server) {
        return before(server, 20);
    }

    public static PgBouncer before(RestartableServer server, int sessions) {
        return new PgBouncer(server, sessions, 0);
    }

    /** One that looks after prepared statements: {@link #canPrepare}. */
    public static PgBouncer preparing(RestartableServer server, int sessions) {
        return new PgBouncer(server, sessions, 100);
    }

    /** An empty database on the server, reached through this, without prepared statements if it cannot look after them. */
    public FreshDatabase fresh() {
        return server.fresh().through(port, prepares ? "" : "&prepareThreshold=0");
    }

    public int port() {
        return port;
    }

    /** What it has complained about since it was ready. */
    public List<String> complaints() {
        return process.lines().stream()
                .dropWhile(line -> !isReady(line))
                .filter(line -> line.contains(" WARNING ") || line.contains(" ERROR ") || line.contains(" FATAL "))
                .toList();
    }

    @Override
    public void close() {
        process.close();
        RunDirectory.ofThisJvm().remove(directory);
    }

    static boolean isChosen() {
        return Arrays.stream(System.getProperty(TestDatabase.CHOICE, "").split(",", -1))
                .anyMatch(each -> each.strip().equalsIgnoreCase(CHOICE));
    }

    /** Whoever has not got it can run all other tests. */
    static ConditionEvaluationResult thereIfChosen() {
        return isChosen() && !isInstalled()
                ? ConditionEvaluationResult.disabled(Missing.SAID)
                : ConditionEvaluationResult.enabled("all that is needed is there");
    }

    private ChildProcess launch(String configuration) {
        Path file = directory.resolve("pgbouncer.ini");
        try {
            Files.writeString(directory.resolve("users.txt"), "\"" + PostgreSqlEngine.LOGIN.user() + "\" \"\"\n");
            Files.writeString(file, configuration);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        // It refuses to run as root, as PostgreSQL does.
        ChildProcess started = PostgreSqlEngine.unprivileged(
                        program().orElseThrow(() -> new IllegalStateException(MISSING)))
                .arguments(file.toString())
                .errorsInOutput()
                .start();
        started.awaitLine(PgBouncer::isReady, START);
        return started;
    }

    private static boolean isReady(String line) {
        return line.contains("process up");
    }

    private String configuration(int sessions, int prepared) {
        return """
                [databases]
                * = host=127.0.0.1 port=%d
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s
                pool_mode = transaction
                default_pool_size = %d
                max_client_conn = 1000
                server_round_robin = 1
                """.formatted(server.port(), port, directory.resolve("users.txt"), sessions)
                + (canPrepare() ? "max_prepared_statements = " + prepared + "\n" : "");
    }

    private static Optional<String> program() {
        return Stream.concat(Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1)), ELSEWHERE.stream())
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "pgbouncer"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    /** Asked for once: 118 for 1.18. */
    private static final class Version {

        static final int OF_THE_PROGRAM = ask();

        private static int ask() {
            try (ChildProcess asked = Launch.command(program().orElse("false"), "--version")
                    .errorsInOutput()
                    .start()) {
                int unused = asked.awaitExit(START);
                return asked.lines().stream()
                        .map(VERSION::matcher)
                        .filter(Matcher::find)
                        .mapToInt(found -> Integer.parseInt(found.group(1)) * 100 + Integer.parseInt(found.group(2)))
                        .findFirst()
                        .orElse(0);
            }
        }
    }

    /** Said once, because nobody sees why a test was skipped. */
    private static final class Missing {

        static final String SAID = say();

        private static String say() {
            System.out.println(MISSING);
            return MISSING;
        }
    }
}
