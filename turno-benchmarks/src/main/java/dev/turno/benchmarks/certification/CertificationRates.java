package dev.turno.benchmarks.certification;

import dev.turno.benchmarks.certification.byhand.HandMadeApplication;
import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Ratio;
import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Rounds;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.server.Server;
import dev.turno.certification.authority.SampleWorkers;
import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.calendar.Day;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Different requests from sixteen clients over HTTP, each for another worker with a right to the benefit: the service beside the
 * hand-made endpoint that it replaces. Both decide by the same rules over the same tables; only accepted requests count.
 */
public final class CertificationRates {

    static final int CLIENTS = 16;
    private static final String RATE = "accepted/s";
    private static final String WORKLOAD = "different requests, 16 clients";
    private static final String HARVESTER = "dev.turno.harvester.HarvesterAutoConfiguration";
    private static final String NO_JPA =
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
                    + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration,"
                    + HARVESTER;
    private static final String NO_TURNO =
            "dev.turno.spring.TurnoAutoConfiguration,dev.turno.web.TurnoWebAutoConfiguration,"
                    + "dev.turno.certification.CertificationAutoConfiguration,"
                    + HARVESTER;
    /** What a request of the service commits to the disk: the answer with all that belongs to it, in passing the lock. */
    private static final int COMMITS = 1;

    /** A JVM is quick only when it has compiled what it runs: both are warmed until their rate no longer grows. */
    private record Size(int rounds, Duration pass, Duration warmUp, int workers) {

        static final Size FULL = new Size(5, Duration.ofSeconds(6), Duration.ofMinutes(1), 300_000);
        static final Size QUICK = new Size(2, Duration.ofSeconds(4), Duration.ofSeconds(15), 100_000);
        static final Size TINY = new Size(2, Duration.ofMillis(500), Duration.ofMillis(500), 10_000);
    }

    private final Server server;
    private final Size size;
    private final Setup setup;
    private final Consumer<String> progress;
    private final List<Double> turno = new ArrayList<>();
    private final List<Double> handMade = new ArrayList<>();
    private final List<Double> handMadeWrong = new ArrayList<>();
    private final List<Double> commits = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private String handMadeScans = "";

    private CertificationRates(Server server, Setup setup) {
        this.server = server;
        this.setup = setup;
        this.size = setup.scale().of(Size.FULL, Size.QUICK, Size.TINY);
        this.progress = setup.progress();
    }

    public static Report run(Setup setup) throws Exception {
        try (Server server = Server.start()) {
            return new CertificationRates(server, setup).run();
        }
    }

    private Report run() throws Exception {
        List<String> bodies = bodies();
        try (FreshDatabase ours = server.fresh();
                FreshDatabase theirs = server.fresh();
                ConfigurableApplicationContext turno =
                        start(TurnoApplication.class, ours, "--spring.autoconfigure.exclude=" + NO_JPA);
                ConfigurableApplicationContext handMadeContext = start(
                        HandMadeApplication.class,
                        theirs,
                        "--spring.autoconfigure.exclude=" + NO_TURNO,
                        "--spring.jpa.hibernate.ddl-auto=create",
                        "--spring.jpa.open-in-view=false")) {
            Load toTurno = warm(turno, ours, bodies);
            Load toHandMade = warm(handMadeContext, theirs, bodies);
            Scans before = scans(theirs);
            Rounds rounds = setup.rounds(size.rounds(), 0.6);
            while (rounds.next()) {
                commits.add(durableCommits());
                this.turno.add(measured("turno", toTurno));
                handMade.add(measured("hand-made", toHandMade));
                handMadeWrong.add(100.0 * toHandMade.others() / (toHandMade.others() + toHandMade.accepted()));
            }
            compare(ours, toTurno);
            handMadeScans = scans(theirs).since(before);
        }
        return report();
    }

    /** As many different requests as there are workers with a right to the benefit. */
    private List<String> bodies() {
        return IntStream.range(0, size.workers())
                .filter(worker -> worker % 10 <= 6)
                .mapToObj(CertificationRates::body)
                .toList();
    }

    private static String body(int worker) {
        return SampleWorkers.request(worker, "B-" + worker, "530").entrySet().stream()
                .filter(field -> !field.getValue().isEmpty())
                .map(field -> '"' + field.getKey() + "\":" + value(field.getKey(), field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String value(String name, String value) {
        return name.equals("origen") || name.equals("selloTrabajador") ? value : '"' + value + '"';
    }

    /** How often the hand-made table of locks was read as a whole, and by an index. */
    private record Scans(long whole, long byIndex) {

        String since(Scans before) {
            return (whole - before.whole) + " times as a whole and " + (byIndex - before.byIndex)
                    + " times by an index while it was measured";
        }
    }

    private static Scans scans(FreshDatabase database) {
        return JdbcClient.create(database.dataSource())
                .sql("select seq_scan, idx_scan from pg_stat_user_tables where relname = 'tb_nsar_bloqueo_distribuido'")
                .query((row, number) -> new Scans(row.getLong("seq_scan"), row.getLong("idx_scan")))
                .single();
    }

    /** What was told must be what is stored. */
    private void compare(FreshDatabase database, Load load) {
        int stored = JdbcClient.create(database.dataSource())
                .sql("select count(*) from turno_certification where state = 'COMPLETED'")
                .query(Integer.class)
                .single();
        if (load.allOthers() > 0 || stored != load.allAccepted()) {
            violations.add("turno: " + load.allOthers() + " other answers, " + stored + " stored of "
                    + load.allAccepted() + " accepted");
        }
    }

    private Report report() throws Exception {
        Figure ours = new Figure(WORKLOAD, "turno", RATE, turno);
        Figure theirs = new Figure(WORKLOAD, "hand-made", RATE, handMade);
        Figure disk = new Figure("one row per commit, 16 connections", "PostgreSQL", "commits/s", commits);
        Figure wrong = new Figure(WORKLOAD, "hand-made", "refused though nobody was in the way, %", handMadeWrong);
        Map<String, Ratio> ratios = new LinkedHashMap<>();
        ratios.put("turno / hand-made", ours.ratioTo(theirs));
        Figure ourCommits = new Figure(
                WORKLOAD,
                "turno",
                "commits/s",
                turno.stream().map(rate -> COMMITS * rate).toList());
        ratios.put("turno's commits / durable commits", ourCommits.ratioTo(disk));
        double enough = Math.max(
                ours.ratioTo(theirs).median() / 5, ourCommits.ratioTo(disk).median() / 0.9);
        return new Report(
                "certification",
                notes(),
                List.of(ours, theirs, wrong, disk),
                ratios,
                List.of(Goal.atLeast("certification-fast-enough", 1, enough)),
                violations);
    }

    private List<String> notes() throws Exception {
        return List.of(
                server.settings(),
                "%d rounds of %d s in turn after %d s of warming up each; clients and both services in one JVM"
                        .formatted(
                                size.rounds(),
                                size.pass().toSeconds(),
                                size.warmUp().toSeconds()),
                "both databases vacuumed and analysed after the warming up, as autovacuum does within a minute",
                "the hand-made table of locks was read " + handMadeScans,
                "turno: the whole service with tokens, stored answers and notifications through the inbox, pool of 16",
                "hand-made: Spring Data JPA and Hibernate, SERIALIZABLE, save and read again, pool of 16; no token, no stored answer");
    }

    private List<String> properties(FreshDatabase database) {
        return List.of(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--logging.level.root=error",
                "--spring.jmx.enabled=false",
                "--server.tomcat.max-keep-alive-requests=-1",
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password(),
                "--spring.datasource.hikari.maximum-pool-size=" + CLIENTS,
                "--turno.admin.token=" + TurnoApplication.ADMIN,
                "--turno.web.rate=1000000",
                "--turno.pool.size=" + CLIENTS,
                "--turno.certification.sample-workers=" + size.workers());
    }

    private ConfigurableApplicationContext start(Class<?> application, FreshDatabase database, String... more) {
        List<String> all = new ArrayList<>(properties(database));
        all.addAll(List.of(more));
        return SpringApplication.run(application, all.toArray(String[]::new));
    }

    /**
     * Ends with what autovacuum does after a minute in any case, so that it does not depend on the moment: from then on PostgreSQL
     * knows how small the hand-made table of locks is, and reads it as a whole instead of by its index. Under SERIALIZABLE whoever read
     * all of it has a predicate lock on all of it, and is in the way of everybody who writes to it.
     */
    private Load warm(ConfigurableApplicationContext node, FreshDatabase database, List<String> bodies)
            throws Exception {
        Calendars calendars = node.getBean(Calendars.class);
        calendars.put(new Day(CalendarSource.CONSAR, calendars.today(), true, "benchmark", ""));
        int port = Integer.parseInt(node.getEnvironment().getRequiredProperty("local.server.port"));
        Load load = new Load(port, bodies);
        load.run(size.warmUp());
        int unused =
                JdbcClient.create(database.dataSource()).sql("vacuum analyze").update();
        return load;
    }

    private double measured(String who, Load load) throws Exception {
        server.checkpoint();
        load.run(size.pass());
        say(who, load);
        return load.rate();
    }

    private void say(String who, Load load) {
        progress.accept(
                String.format(Locale.ROOT, "%s: %,.0f accepted/s, %d other answers", who, load.rate(), load.others()));
    }

    /** How many transactions of one row the disk takes from sixteen connections. */
    private double durableCommits() throws Exception {
        try (FreshDatabase database = server.fresh()) {
            try (Connection connection = connect(database);
                    Statement statement = connection.createStatement()) {
                statement.execute("create table one_row (id bigint, text varchar(200))");
            }
            long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
            List<Thread> threads = new ArrayList<>();
            AtomicLong done = new AtomicLong();
            Queue<String> failures = new ConcurrentLinkedQueue<>();
            for (int i = 0; i < CLIENTS; i++) {
                Thread thread = new Thread(() -> commit(database, end, done, failures));
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            violations.addAll(failures);
            progress.accept(String.format(Locale.ROOT, "durable commits: %,.0f/s", done.get() / 3.0));
            return done.get() / 3.0;
        }
    }

    /** With a connection less the disk would seem slower than it is, and turno's share of it larger. */
    private static void commit(FreshDatabase database, long end, AtomicLong done, Queue<String> failures) {
        try (Connection connection = connect(database);
                PreparedStatement insert = connection.prepareStatement("insert into one_row values (?, ?)")) {
            while (end - System.nanoTime() > 0) {
                insert.setLong(1, end);
                insert.setString(2, "x".repeat(100));
                insert.executeUpdate();
                done.incrementAndGet();
            }
        } catch (SQLException e) {
            failures.add("durable commits: a connection failed before the time was over: " + e);
        }
    }

    private static Connection connect(FreshDatabase database) throws SQLException {
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }
}
