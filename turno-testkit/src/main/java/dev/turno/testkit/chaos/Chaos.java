package dev.turno.testkit.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.testkit.database.FreshDatabase;
import dev.turno.testkit.database.RestartableServer;
import dev.turno.testkit.database.TcpProxy;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Several processes of an application, each behind a proxy of its own, their database, and the dice that say what happens to them. Belongs
 * to one thread; what it gives away may be shared.
 *
 * <pre>{@code
 * try (Chaos chaos = Chaos.of(TestDatabase.POSTGRESQL, ShopNode.class).seed(7).start()) {
 *     chaos.execute("create table shipped (id varchar(100))");
 *     Inbox orders = chaos.turno().inbox("orders");
 *     int put = chaos.rage(Duration.ofSeconds(10), n -> orders.put("order-" + n, "{}"));
 *     assertThat(chaos.tally("select id from shipped", put, n -> "order-" + n).isRight()).isTrue();
 * }
 * }</pre>
 */
public final class Chaos implements AutoCloseable {

    /** How the application and its database are set up. Everything left out keeps its default. Not shared by threads. */
    public static final class Setup {

        private final TestDatabase kind;
        private final Class<?> main;
        private int nodes = 3;
        private long seed = 1;
        private Duration lease = Duration.ofSeconds(3);
        private Set<Fault> faults = EnumSet.allOf(Fault.class);
        private List<String> words = List.of();
        private int longOnes = 6;
        private Duration beyond = Duration.ofMillis(3_500);
        private int smallDisk;
        private boolean inside;

        private Setup(TestDatabase kind, Class<?> main) {
            this.kind = kind;
            this.main = main;
        }

        /** How many processes; 3 by default, at most 20. */
        public Setup nodes(int wished) {
            if (wished < 1 || wished > 20) {
                throw new IllegalArgumentException("There are " + wished + " nodes; use 1 to 20.");
            }
            nodes = wished;
            return this;
        }

        /** The same seed is the same schedule of faults; 1 by default. */
        public Setup seed(long wished) {
            seed = wished;
            return this;
        }

        /** How long a process is believed to be alive; 3 seconds by default. */
        public Setup lease(Duration wished) {
            lease = wished;
            return this;
        }

        /** Only these may happen; those that cannot happen here do not. */
        public Setup faults(Collection<Fault> wished) {
            faults = EnumSet.copyOf(wished);
            return this;
        }

        /** One of so many freezes, partitions, lost answers and starvations lasts for longer than the lease; one of 6 by default. */
        public Setup oneOutlastsTheLeaseOf(int many) {
            if (many < 1) {
                throw new IllegalArgumentException("One of " + many + " faults is to be long; use 1 or more.");
            }
            longOnes = many;
            return this;
        }

        /** By how much those outlast it at most, from a second to a minute; by 3.5 seconds by default. */
        public Setup outlastingItByUpTo(Duration wished) {
            if (wished.toSeconds() < 1 || wished.toSeconds() > 60) {
                throw new IllegalArgumentException("Faults outlast the lease by " + wished + "; use 1 to 60 seconds.");
            }
            beyond = wished;
            return this;
        }

        /** For the main methods, as in {@code threads=8}: see {@link ChaosNode#word}. */
        public Setup words(String... wished) {
            words = List.of(wished);
            return this;
        }

        /** Gives the database a disk of its own, in memory, so that it can be full. Needs root. */
        public Setup smallDisk(int megabytes) {
            smallDisk = megabytes;
            return this;
        }

        /**
         * The only process has the database inside, in a file of H2, as in the smallest installation: whoever kills one kills both,
         * and what is between them cannot break. Let it put by {@link Chaos#ask}: from outside goes by
         * another way into H2.
         */
        public Setup inside() {
            inside = true;
            nodes = 1;
            return this;
        }

        /** Starts the database; the processes begin with the first {@link Chaos#rage} or {@link Chaos#startNodes}. */
        public Chaos start() {
            if (inside && (kind != TestDatabase.H2 || nodes != 1 || smallDisk != 0)) {
                throw new IllegalArgumentException(
                        "A database inside of its application is H2, with one node and no disk of its"
                                + " own; this is " + kind + " with " + nodes + " nodes.");
            }
            return new Chaos(this);
        }

        private Set<Fault> possible() {
            Set<Fault> possible = EnumSet.copyOf(faults);
            if (inside) {
                possible.retainAll(INSIDE);
            }
            if (kind == TestDatabase.H2) {
                possible.remove(Fault.SESSIONS);
            }
            if (!hasFaketime()) {
                possible.remove(Fault.SKEW);
            }
            if (smallDisk == 0) {
                possible.remove(Fault.DISK_FULL);
            }
            if (possible.isEmpty()) {
                throw new IllegalArgumentException(
                        "None of " + faults + " can happen here; see Fault for what each needs.");
            }
            return possible;
        }
    }

    /** Something that is put, scheduled or sent from outside; it has happened if this does not throw. */
    @FunctionalInterface
    public interface Put {
        void put(int number) throws Exception;
    }

    /** Is told of each fault, on the thread of {@link Chaos#rage}. */
    public interface Witness {

        /** It has just begun. A killed process has no successor yet. */
        void began(Fault fault, String node);

        /** It is over. */
        void over(Fault fault, String node);
    }

    /** Killing the database is killing the process then. A clock that is wrong would be the database's own. */
    private static final Set<Fault> INSIDE = EnumSet.of(Fault.FREEZE, Fault.STARVE, Fault.DATABASE_KILL);

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int CONNECTIONS = 16;
    private static final long TIMEOUT_MS = 1_000;
    private static final Duration WORSE = Duration.ofMillis(100);
    private static final Duration SLOW = Duration.ofMillis(30);
    private static final long BETWEEN_PUTS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long BEFORE_ANOTHER_TRY = TimeUnit.MILLISECONDS.toNanos(50);

    private static final String END_SESSIONS_OF_POSTGRESQL = "select pg_terminate_backend(pid) from pg_stat_activity"
            + " where datname = current_database() and pid <> pg_backend_pid()";
    private static final String END_SESSIONS_OF_MARIADB = """
            begin not atomic
                declare continue handler for sqlexception begin end;
                for session in (select id from information_schema.processlist where db = database() and id <> connection_id()) do
                    kill session.id;
                end for;
            end""";

    private final Setup setup;
    private final RestartableServer server;
    private final FreshDatabase database;
    private final HikariDataSource pool;
    private final Turno turno;
    private final Set<Fault> possible;
    private final Dice dice;
    private final List<TcpProxy> ways = new ArrayList<>();
    private final List<ChildProcess> nodes = new CopyOnWriteArrayList<>(); // asked by other threads too
    private final Questions questions = new Questions();
    private final List<String> names = new ArrayList<>();
    private final List<ChildProcess> all = new ArrayList<>();
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private final List<Witness> witnesses = new ArrayList<>();
    private int deaths;

    private Chaos(Setup setup) {
        this.setup = setup;
        this.possible = setup.possible();
        this.server = setup.smallDisk == 0 ? setup.kind.newServer() : setup.kind.newServer(setup.smallDisk);
        this.database = server.fresh();
        this.pool = new HikariDataSource(pool(database));
        // It only puts and looks, and gives no sign of life: with a long lease nobody notices.
        this.turno =
                Turno.open(pool, TurnoOptions.defaults().withNode("outside").withLease(Duration.ofHours(1)));
        this.dice = new Dice(setup.seed, possible, setup.nodes, setup.lease, setup.longOnes, setup.beyond);
    }

    private static HikariConfig pool(FreshDatabase database) {
        HikariConfig config = PatientPool.of(database.url(), database.user(), database.password());
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(TIMEOUT_MS);
        config.setValidationTimeout(TIMEOUT_MS);
        return config;
    }

    /** @param main begins with {@link ChaosNode#start} and ends with {@link ChaosNode#ready} */
    public static Setup of(TestDatabase kind, Class<?> main) {
        return new Setup(kind, main);
    }

    /** For those outside who put and look: nothing is handled here, and no fault befalls this way but those of the database. */
    public Turno turno() {
        return turno;
    }

    public DataSource dataSource() {
        return pool;
    }

    /**
     * Lets a process do what it has under this name, see {@link ChaosNode#answer}, and returns when that is done. Threads may share it.
     *
     * @throws SQLException if it was not done within five seconds, or the process or its database is away: it may have happened then,
     *     or happen yet, but before whatever the same process is asked for under this name later
     */
    public void ask(String name, int number) throws SQLException, InterruptedException {
        if (nodes.isEmpty()) {
            throw new IllegalStateException(
                    "There is no process that could do '" + name + "' yet; call startNodes() or rage(...).");
        }
        questions.ask(nodes.get(number % nodes.size()), name, number);
    }

    /** How many processes there are. */
    public int nodes() {
        return setup.nodes;
    }

    /** The names of those that are to be alive now, different after each start. */
    public List<String> names() {
        return List.copyOf(names);
    }

    /** What can happen here. */
    public Set<Fault> possible() {
        return possible;
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public void witness(Witness witness) {
        witnesses.add(witness);
    }

    /** Starts the processes, and returns when all of them are ready. */
    public void startNodes() {
        if (!nodes.isEmpty()) {
            return;
        }
        if (setup.inside) {
            server.shutDown(); // its files and its port are the process's from now on
        }
        for (int i = 0; i < setup.nodes; i++) {
            ways.add(TcpProxy.to(server.port()));
            names.add("");
            nodes.add(launch(i, 0));
        }
        nodes.forEach(node -> node.awaitLine(ChaosNode.READY::equals, SOON));
    }

    /** One thing after the other happens for so long. Afterwards all is well and every process is alive. */
    public void rage(Duration time) throws InterruptedException {
        startNodes();
        long until = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - until < 0) {
            replaceTheDead();
            befall(dice.next());
        }
        replaceTheDead();
    }

    /** While it rages, {@code put} is called with 0, 1, 2 and so on, each until it succeeded; answers how many did. */
    public int rage(Duration time, Put put) throws InterruptedException {
        startNodes();
        AtomicBoolean over = new AtomicBoolean();
        Putting putting = new Putting(put, over);
        Thread thread = new Thread(putting, "chaos-put");
        thread.setDaemon(true);
        thread.start();
        try {
            rage(time);
        } finally {
            over.set(true);
            thread.join();
        }
        return putting.answer();
    }

    /** Puts one after the other until it is over. Its answer is for who has waited for its thread. */
    private static final class Putting implements Runnable {

        private final Put put;
        private final AtomicBoolean over;
        private int count;
        private @Nullable Exception surprise;

        Putting(Put put, AtomicBoolean over) {
            this.put = put;
            this.over = over;
        }

        @Override
        public void run() {
            while (!over.get() && surprise == null) {
                tryPut();
            }
        }

        private void tryPut() {
            try {
                put.put(count);
                count++;
                LockSupport.parkNanos(BETWEEN_PUTS);
            } catch (DatabaseAwayException | SQLException away) {
                LockSupport.parkNanos(BEFORE_ANOTHER_TRY);
            } catch (Exception e) {
                surprise = e;
            }
        }

        int answer() {
            if (surprise != null) {
                throw new AssertionError("Put number " + count + " failed in an unexpected way.", surprise);
            }
            return count;
        }
    }

    /** The database is away for so long, and comes back. */
    public void databaseAway(Duration time) throws InterruptedException {
        startNodes();
        befall(new Misfortune(Fault.DATABASE_KILL, 0, time, Duration.ZERO, 0));
    }

    /** As a supervisor would: a process that gave up, perhaps because its database was away when it started, is started again. */
    public void replaceTheDead() {
        for (int i = 0; i < nodes.size(); i++) {
            ChildProcess node = nodes.get(i);
            if (!node.isAlive()) {
                deaths += node.lines().contains(ChaosNode.READY) ? 1 : 0;
                nodes.set(i, launch(i, 0));
            }
        }
    }

    /** How many processes have died of themselves after they were ready; each was replaced. */
    public int deaths() {
        return deaths;
    }

    private ChildProcess launch(int index, int hours) {
        String name = "node-" + index + "-" + all.size();
        names.set(index, name);
        Launch launch = Launch.main(setup.main)
                .jvmOptions("-Xmx160m")
                .arguments("url=" + database.urlThrough(ways.get(index).port()), "ledger=" + database.url())
                .arguments("user=" + database.user(), "password=" + database.password())
                .arguments("node=" + name, "lease=" + setup.lease.toMillis())
                .arguments(setup.words.toArray(String[]::new));
        if (setup.inside) {
            launch.jvmOptions("-Xmx400m")
                    .arguments(ChaosNode.INSIDE + "=" + server.fileOf(database), ChaosNode.PORT + "=" + server.port());
        }
        if (hours != 0) {
            launch.through("faketime", "-f", (hours > 0 ? "+" : "") + hours + "h");
        }
        ChildProcess node = launch.onLine(questions::hear).start();
        all.add(node);
        return node;
    }

    private void befall(Misfortune misfortune) throws InterruptedException {
        Fault fault = misfortune.fault();
        faults.merge(fault, 1, Integer::sum);
        String name = names.get(misfortune.victim());
        begin(misfortune);
        witnesses.forEach(witness -> witness.began(fault, name));
        Thread.sleep(
                fault == Fault.KILL || fault == Fault.SKEW
                        ? 0
                        : misfortune.length().toMillis());
        end(misfortune);
        witnesses.forEach(witness -> witness.over(fault, name));
        Thread.sleep(misfortune.pause().toMillis());
    }

    private void begin(Misfortune misfortune) throws InterruptedException {
        ChildProcess node = nodes.get(misfortune.victim());
        TcpProxy way = ways.get(misfortune.victim());
        switch (misfortune.fault()) {
            case KILL, SKEW -> node.kill9();
            case FREEZE -> ifAlive(node::stop);
            case PARTITION -> {
                way.delay(SLOW); // it gets worse before it breaks, so that much is on its way then
                Thread.sleep(WORSE.toMillis());
                way.blackhole();
            }
            case LOST_ANSWERS -> way.blackholeAnswers();
            case RESET -> way.reset();
            case DELAY -> way.delay(SLOW);
            case STARVE ->
                ifAlive(() -> node.send(ChaosNode.STARVE + misfortune.length().toMillis()));
            case SESSIONS -> endSessions();
            case DATABASE_KILL -> killTheDatabase(node);
            case DISK_FULL -> server.fillDisk();
        }
    }

    private void end(Misfortune misfortune) {
        int victim = misfortune.victim();
        TcpProxy way = ways.get(victim);
        switch (misfortune.fault()) {
            case KILL -> nodes.set(victim, launch(victim, 0));
            case SKEW -> nodes.set(victim, launch(victim, misfortune.hours()));
            case FREEZE -> ifAlive(nodes.get(victim)::cont);
            case LOST_ANSWERS -> {
                way.reset(); // else the answers would only be late
                way.pass();
            }
            case PARTITION, RESET, DELAY -> way.pass();
            case STARVE, SESSIONS -> {
                // Over by itself.
            }
            case DATABASE_KILL -> restartTheDatabase(victim);
            case DISK_FULL -> {
                server.freeDisk();
                // Each kind of server goes on in its own way, or not at all: an operator would start it afresh.
                server.kill9();
                server.restart();
            }
        }
    }

    private void killTheDatabase(ChildProcess node) {
        if (setup.inside) {
            node.kill9();
        } else {
            server.kill9();
        }
    }

    private void restartTheDatabase(int victim) {
        if (setup.inside) {
            ChildProcess next = launch(victim, 0);
            nodes.set(victim, next);
            next.awaitLine(ChaosNode.READY::equals, SOON);
        } else {
            server.restart();
        }
    }

    /** One that gave up meanwhile is replaced before the next fault. */
    private static void ifAlive(Runnable act) {
        try {
            act.run();
        } catch (AssertionError dead) {
            // Nothing can happen to it any more.
        }
    }

    private void endSessions() {
        try {
            execute(setup.kind == TestDatabase.POSTGRESQL ? END_SESSIONS_OF_POSTGRESQL : END_SESSIONS_OF_MARIADB);
        } catch (SQLException itself) {
            // Its own session was among them.
        }
    }

    /** How often each fault happened. */
    public Map<Fault, Integer> faults() {
        return Map.copyOf(faults);
    }

    /** What the processes said that began so, also those that are dead. */
    public List<String> said(String beginning) {
        return all.stream()
                .flatMap(node -> node.lines().stream())
                .filter(line -> line.startsWith(beginning))
                .toList();
    }

    /** The claims that were refused a write because another process had the item by then, as {@code KEY#FENCE}. */
    public List<String> refused() {
        return said(ChaosNode.LOST).stream()
                .map(line -> line.substring(ChaosNode.LOST.length()))
                .toList();
    }

    /** Names what was put under a number. */
    @FunctionalInterface
    public interface Naming {
        String of(int number);
    }

    /**
     * What became of the first {@code count} that were put, by a query that answers the name of each effect. Waits up to a minute
     * for those that are missing.
     */
    public Tally tally(String query, int count, Naming naming) throws SQLException, InterruptedException {
        Set<String> wanted = new HashSet<>();
        for (int n = 0; n < count; n++) {
            wanted.add(naming.of(n));
        }
        long until = System.nanoTime() + SOON.toNanos();
        while (true) {
            boolean over = System.nanoTime() - until >= 0;
            try {
                Tally tally = Tally.of(wanted, names(query));
                if (over || tally.missing().isEmpty()) {
                    return tally;
                }
            } catch (SQLTransientConnectionException busy) {
                if (over) { // until then it may only be slow, after all that has happened to it
                    throw busy;
                }
            }
            Thread.sleep(100);
            replaceTheDead();
        }
    }

    private List<String> names(String query) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                found.add(row.getString(1));
            }
        }
        return found;
    }

    private static boolean hasFaketime() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "faketime")));
    }

    /** Ends the processes and the database. */
    @Override
    public void close() {
        nodes.forEach(ChildProcess::close);
        ways.forEach(TcpProxy::close);
        turno.close();
        pool.close();
        database.close();
        server.close();
    }
}
