package dev.turno.benchmarks.certification;

import dev.turno.benchmarks.certification.seed.SeedApplication;
import dev.turno.benchmarks.postgres.Server;
import dev.turno.benchmarks.result.Figure;
import dev.turno.benchmarks.result.Goal;
import dev.turno.benchmarks.result.Report;
import dev.turno.certification.calendar.CalendarSource;
import dev.turno.certification.calendar.Calendars;
import dev.turno.certification.calendar.Day;
import dev.turno.testkit.database.FreshDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Different requests from sixteen clients over HTTP, each for another worker with a right to the benefit: the service beside the
 * endpoint as its seed writes it. Both decide by the same rules over the same tables; only accepted requests count.
 */
public final class CertificationRates {

    static final int CLIENTS = 16;
    private static final String RATE = "accepted/s";
    private static final String WORKLOAD = "different requests, 16 clients";
    private static final String NO_JPA =
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
                    + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";
    private static final String NO_TURNO =
            "dev.turno.spring.TurnoAutoConfiguration,dev.turno.web.TurnoWebAutoConfiguration,"
                    + "dev.turno.certification.CertificationAutoConfiguration";
    /** What a request of the service commits to the disk: the lock's row, its taking, the answer, the giving back. */
    private static final int COMMITS = 4;

    private record Size(int rounds, Duration pass, int workers) {

        static final Size FULL = new Size(3, Duration.ofSeconds(8), 40_000);
        static final Size QUICK = new Size(1, Duration.ofSeconds(5), 20_000);
    }

    private final Server server;
    private final Size size;
    private final Consumer<String> progress;
    private final List<Double> turno = new ArrayList<>();
    private final List<Double> seed = new ArrayList<>();
    private final List<Double> seedWrong = new ArrayList<>();
    private final List<Double> commits = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    private CertificationRates(Server server, Size size, Consumer<String> progress) {
        this.server = server;
        this.size = size;
        this.progress = progress;
    }

    public static Report run(boolean quick, Consumer<String> progress) throws Exception {
        try (Server server = Server.start()) {
            return new CertificationRates(server, quick ? Size.QUICK : Size.FULL, progress).run();
        }
    }

    private Report run() throws Exception {
        for (int round = 1; round <= size.rounds(); round++) {
            commits.add(durableCommits());
            turno();
            seed();
        }
        Figure ours = new Figure(WORKLOAD, "turno", RATE, turno);
        Figure theirs = new Figure(WORKLOAD, "seed", RATE, seed);
        Figure disk = new Figure("one row per commit, 16 connections", "PostgreSQL", "commits/s", commits);
        Figure wrong = new Figure(WORKLOAD, "seed", "refused though nobody was in the way, %", seedWrong);
        Map<String, Double> ratios = new LinkedHashMap<>();
        ratios.put("turno / seed", ours.ratioTo(theirs));
        ratios.put("turno's commits / durable commits", COMMITS * ours.ratioTo(disk));
        double enough = Math.max(ours.ratioTo(theirs) / 5, COMMITS * ours.ratioTo(disk) / 0.9);
        return new Report(
                "certification",
                notes(),
                List.of(ours, theirs, wrong, disk),
                ratios,
                List.of(Goal.atLeast("fast-enough", 1, enough)),
                violations);
    }

    private List<String> notes() throws Exception {
        return List.of(
                server.settings(),
                "%d rounds of %d s after a warm-up, clients and service in one JVM"
                        .formatted(size.rounds(), size.pass().toSeconds()),
                "turno: the whole service with tokens, stored answers and notifications through the inbox, pool of 16",
                "seed: Spring Data JPA and Hibernate, SERIALIZABLE, save and read again, pool of 16; no token, no stored answer");
    }

    private List<String> properties(FreshDatabase database) {
        return List.of(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--logging.level.root=error",
                "--spring.jmx.enabled=false",
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password(),
                "--spring.datasource.hikari.maximum-pool-size=" + CLIENTS,
                "--turno.admin.token=" + TurnoApplication.ADMIN,
                "--turno.web.rate=1000000",
                "--turno.pool.size=" + CLIENTS,
                "--turno.certification.sample-workers=" + size.workers());
    }

    private void turno() throws Exception {
        try (FreshDatabase database = server.fresh();
                ConfigurableApplicationContext node =
                        start(TurnoApplication.class, database, "--spring.autoconfigure.exclude=" + NO_JPA)) {
            Load load = measured(node);
            turno.add(load.rate());
            int stored = JdbcClient.create(database.dataSource())
                    .sql("select count(*) from turno_certification where state = 'COMPLETED'")
                    .query(Integer.class)
                    .single();
            if (load.others() > 0 || stored != load.allAccepted()) {
                violations.add("turno: " + load.others() + " other answers, " + stored + " stored of "
                        + load.allAccepted() + " accepted");
            }
            say("turno", load);
        }
    }

    private void seed() throws Exception {
        try (FreshDatabase database = server.fresh();
                ConfigurableApplicationContext node = start(
                        SeedApplication.class,
                        database,
                        "--spring.autoconfigure.exclude=" + NO_TURNO,
                        "--spring.jpa.hibernate.ddl-auto=create",
                        "--spring.jpa.open-in-view=false")) {
            Load load = measured(node);
            seed.add(load.rate());
            seedWrong.add(100.0 * load.others() / (load.others() + load.accepted()));
            say("seed", load);
        }
    }

    private ConfigurableApplicationContext start(Class<?> application, FreshDatabase database, String... more) {
        List<String> all = new ArrayList<>(properties(database));
        all.addAll(List.of(more));
        return SpringApplication.run(application, all.toArray(String[]::new));
    }

    private Load measured(ConfigurableApplicationContext node) throws Exception {
        Calendars calendars = node.getBean(Calendars.class);
        calendars.put(new Day(CalendarSource.CONSAR, calendars.today(), true, "benchmark", ""));
        int port = Integer.parseInt(node.getEnvironment().getRequiredProperty("local.server.port"));
        Load load = new Load(port, size.workers());
        load.run(Duration.ofSeconds(3));
        server.checkpoint();
        load.run(size.pass());
        return load;
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
            var done = new java.util.concurrent.atomic.AtomicLong();
            for (int i = 0; i < CLIENTS; i++) {
                Thread thread = new Thread(() -> commit(database, end, done));
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            progress.accept(String.format(Locale.ROOT, "durable commits: %,.0f/s", done.get() / 3.0));
            return done.get() / 3.0;
        }
    }

    private static void commit(FreshDatabase database, long end, java.util.concurrent.atomic.AtomicLong done) {
        try (Connection connection = connect(database);
                PreparedStatement insert = connection.prepareStatement("insert into one_row values (?, ?)")) {
            while (end - System.nanoTime() > 0) {
                insert.setLong(1, done.incrementAndGet());
                insert.setString(2, "x".repeat(100));
                insert.executeUpdate();
            }
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Connection connect(FreshDatabase database) throws java.sql.SQLException {
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }
}
