package dev.turno.testkit.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.testkit.database.H2Inside;
import dev.turno.testkit.process.ParentWatch;
import dev.turno.watch.WorkEvent;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * One process of the application under {@link Chaos}, seen from inside: a pool of connections that leads to the database by the way that
 * is cut and slowed, and a Turno on it. Threads may share it.
 */
public final class ChaosNode {

    static final String READY = "chaos ready";
    static final String LOST = "lost ";
    static final String STARVE = "starve ";
    static final String INSIDE = "inside";
    static final String PORT = "port";
    private static final int CONNECTIONS = 20;
    private static final long TIMEOUT_MS = 1_000;
    private static final long A_MOMENT = TimeUnit.MILLISECONDS.toNanos(200);

    private final Map<String, String> words = new HashMap<>();
    private final Answers answers = new Answers();
    private final HikariDataSource pool;
    private final DataSource source;
    private final Turno turno;

    private ChaosNode(String[] arguments, UnaryOperator<DataSource> around) {
        for (String word : arguments) {
            int equals = word.indexOf('=');
            words.put(word.substring(0, equals), word.substring(equals + 1));
        }
        ParentWatch.exitWithParent(this::hear);
        this.pool = new HikariDataSource(config(url(), CONNECTIONS));
        this.source = around.apply(pool);
        this.turno = startPatiently();
        word(INSIDE)
                .ifPresent(file -> H2Inside.letIn(
                        Path.of(file), Integer.parseInt(word(PORT).orElseThrow())));
    }

    /** First line of the main method, with its arguments. Returns when the database has been reached, however long that takes. */
    public static ChaosNode start(String[] arguments) {
        return start(arguments, source -> source);
    }

    /** With something of the application's own around its connections. */
    public static ChaosNode start(String[] arguments, UnaryOperator<DataSource> around) {
        return new ChaosNode(arguments, around);
    }

    /** Its own, different after each start. */
    public String name() {
        return word("node").orElseThrow();
    }

    public Turno turno() {
        return turno;
    }

    /** To the database, by the way on which everything happens. */
    public DataSource dataSource() {
        return source;
    }

    /** Another pool that leads straight to the database, for what has to be written down whatever happens. */
    public DataSource newLedger(int connections) {
        return new HikariDataSource(config(urlInside().or(() -> word("ledger")).orElseThrow(), connections));
    }

    /**
     * What this process does when {@link Chaos#ask} asks for it by this name, once it is {@link #ready}: for one name one after the
     * other, for different names at the same time.
     */
    public void answer(String name, Chaos.Put put) {
        answers.to(name, put);
    }

    /** A word that {@link Chaos.Setup#words} gave, as in {@code threads=8}. */
    public Optional<String> word(String name) {
        return Optional.ofNullable(words.get(name));
    }

    /** Last line of the main method: from here on things may happen. Returns never. */
    public void ready() {
        answers.ready();
        System.out.println(READY);
        while (true) {
            LockSupport.park();
        }
    }

    private String url() {
        return urlInside().or(() -> word("url")).orElseThrow();
    }

    private Optional<String> urlInside() {
        return word(INSIDE).map(file -> H2Inside.url(Path.of(file)));
    }

    /** A process that is started while its database is away waits for it, as it would when a supervisor starts it again and again. */
    private Turno startPatiently() {
        while (true) {
            try {
                return Turno.start(source, options());
            } catch (RuntimeException away) {
                System.err.println("not yet: " + reasons(away));
                LockSupport.parkNanos(A_MOMENT);
            }
        }
    }

    /** A pool says only that there is no connection; why stands behind it. */
    private static String reasons(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .map(String::valueOf)
                .collect(Collectors.joining(", because of "));
    }

    private TurnoOptions options() {
        Duration lease = Duration.ofMillis(Long.parseLong(word("lease").orElseThrow()));
        return TurnoOptions.defaults().withNode(name()).withLease(lease).withWatcher(ChaosNode::tell);
    }

    private static void tell(WorkEvent event) {
        if (event instanceof WorkEvent.Lost lost) {
            System.out.println(LOST + lost.key() + "#" + lost.fence());
        }
    }

    private HikariConfig config(String url, int connections) {
        var config = PatientPool.of(url, words.getOrDefault("user", ""), words.getOrDefault("password", ""));
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(TIMEOUT_MS);
        config.setValidationTimeout(TIMEOUT_MS / 2);
        return config;
    }

    private void hear(String line) {
        answers.hear(line);
        if (line.startsWith(STARVE)) {
            long until =
                    System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(line.substring(STARVE.length())));
            Thread thread = new Thread(() -> starve(until), "chaos-starve");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Takes all connections that it can get hold of, and gives them back in the end. */
    private void starve(long until) {
        List<Connection> taken = new ArrayList<>();
        while (System.nanoTime() - until < 0) {
            try {
                taken.add(pool.getConnection());
            } catch (SQLException none) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        }
        taken.forEach(ChaosNode::close);
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException broken) {
            // The pool makes another.
        }
    }
}
