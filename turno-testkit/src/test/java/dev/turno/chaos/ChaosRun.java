package dev.turno.chaos;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.simulation.Broken;
import dev.turno.testkit.chaos.Chaos;
import dev.turno.testkit.chaos.Fault;
import dev.turno.testkit.database.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Workloads under chaos, from the first item to the verdict. Belongs to one thread. */
final class ChaosRun implements AutoCloseable {

    /**
     * How long faults and handlers last, and how long is waited for the end.
     *
     * @param longOnes one of so many faults outlasts the lease
     * @param beyond by how much at most
     * @param slowOnes one of so many messages takes its handler long
     * @param patience after the storm: what is not over then is stuck
     * @param hesitant the processes stand still for a moment before each statement that has this rule
     */
    record Aim(int longOnes, Duration beyond, int slowOnes, Duration patience, Broken hesitant) {

        static final Aim USUAL = new Aim(6, Duration.ofMillis(3_500), 16, Duration.ofMinutes(2), Broken.NOTHING);
    }

    /**
     * What to do.
     *
     * @param rate items in a second, all workloads together
     * @param broken what is taken out of the product
     * @param away if not zero, the database is away twice for so long, and nothing else happens
     * @param inside there is one process, which has the database inside
     */
    record Wish(
            TestDatabase kind,
            List<Workload.Kind> workloads,
            Duration time,
            long seed,
            int rate,
            Broken broken,
            Set<Fault> faults,
            Aim aim,
            Duration away,
            int smallDisk,
            boolean inside) {

        static final int USUAL_RATE = 800;

        static Wish of(TestDatabase kind, List<Workload.Kind> workloads, Duration time, long seed) {
            Set<Fault> all = EnumSet.allOf(Fault.class);
            return new Wish(
                    kind, workloads, time, seed, USUAL_RATE, Broken.NOTHING, all, Aim.USUAL, Duration.ZERO, 0, false);
        }

        Wish without(Broken rule) {
            return new Wish(kind, workloads, time, seed, rate, rule, faults, aim, away, smallDisk, inside);
        }

        Wish onlyWith(Collection<Fault> wished) {
            return new Wish(
                    kind, workloads, time, seed, rate, broken, EnumSet.copyOf(wished), aim, away, smallDisk, inside);
        }

        Wish aimed(Aim wished) {
            return new Wish(kind, workloads, time, seed, rate, broken, faults, wished, away, smallDisk, inside);
        }

        Wish atRate(int wished) {
            return new Wish(kind, workloads, time, seed, wished, broken, faults, aim, away, smallDisk, inside);
        }

        Wish awayFor(Duration wished) {
            return new Wish(kind, workloads, time, seed, rate, broken, faults, aim, wished, smallDisk, inside);
        }

        Wish onSmallDisk(int megabytes) {
            return new Wish(kind, workloads, time, seed, rate, broken, faults, aim, away, megabytes, inside);
        }

        Wish withDatabaseInside() {
            return new Wish(kind, workloads, time, seed, rate, broken, faults, aim, away, smallDisk, true);
        }
    }

    static final Duration LEASE = Duration.ofSeconds(3);
    static final Duration POLL = Duration.ofSeconds(1);
    private static final String DEAD_RENEWED =
            "select count(*) from turno_holder where reaped_at is not null and lease_until > reaped_at";
    private static final Duration AT_LENGTH = Duration.ofSeconds(60);
    private static final Duration ALL_AT_WORK = Duration.ofSeconds(30);

    /** Some dozens of runs among them: with fewer a process may have got none by chance. */
    private static final int ITEMS_FOR_ALL = 35_000;

    private static final Duration QUIET = Duration.ofSeconds(12);

    private final Wish wish;
    private final Chaos chaos;
    private final Turno turno;
    private final Recovery recovery;
    private final Map<Workload.Kind, Workload> workloads = new EnumMap<>(Workload.Kind.class);
    private final Map<Workload.Kind, Pump> pumps = new EnumMap<>(Workload.Kind.class);
    private final Thread look = new Thread(this::look, "chaos-look");
    private volatile long deadRenewed;
    private volatile boolean takenOutHere;

    private ChaosRun(Wish wish) throws SQLException {
        this.wish = wish;
        Chaos.Setup setup = Chaos.of(wish.kind(), WorkloadNode.class)
                .seed(wish.seed())
                .lease(LEASE)
                .faults(wish.faults())
                .smallDisk(wish.smallDisk())
                .oneOutlastsTheLeaseOf(wish.aim().longOnes())
                .outlastingItByUpTo(wish.aim().beyond())
                .words(
                        "workload="
                                + wish.workloads().stream()
                                        .map(Workload.Kind::word)
                                        .collect(Collectors.joining(",")),
                        "slow=" + wish.aim().slowOnes(),
                        "broken=" + wish.broken(),
                        "hesitant=" + wish.aim().hesitant());
        this.chaos = (wish.inside() ? setup.inside() : setup).start();
        this.turno = Turno.open(
                BrokenSource.around(chaos.dataSource(), wish.broken(), Broken.NOTHING, () -> takenOutHere = true),
                TurnoOptions.defaults().withNode("pumps").withLease(Duration.ofHours(1)));
        this.recovery = new Recovery(chaos);
        chaos.witness(recovery);
        Books.create(chaos.dataSource(), wish.kind());
        for (Workload.Kind kind : wish.workloads()) {
            Workload workload = kind.make();
            workload.prepare(chaos, turno);
            workloads.put(kind, workload);
        }
    }

    /** The same seed is the same schedule of faults. */
    static Verdict run(Wish wish) throws Exception {
        try (ChaosRun run = new ChaosRun(wish)) {
            return run.run();
        }
    }

    private Verdict run() throws Exception {
        chaos.startNodes();
        startPumps();
        look.setDaemon(true);
        look.start();
        long started = System.nanoTime();
        if (wish.away().isZero()) {
            chaos.rage(wish.time());
        } else {
            loseTheDatabaseTwice();
        }
        Duration raged = Duration.ofNanos(System.nanoTime() - started);
        Findings common = new Findings("holders");
        awaitWorkOfAll(common);
        for (Pump pump : pumps.values()) {
            pump.close();
        }
        return verdict(raged, common);
    }

    /** After the storm each process does some work of each kind again, or it never will. */
    private void awaitWorkOfAll(Findings common) throws InterruptedException {
        Instant calm = Instant.now();
        long seconds = Math.max(ALL_AT_WORK.toSeconds(), ITEMS_FOR_ALL / wish.rate());
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        Set<String> idle = idle(calm);
        while (!idle.isEmpty() && System.nanoTime() - until < 0) {
            Thread.sleep(500);
            chaos.replaceTheDead();
            idle = idle(calm);
        }
        common.add(Wrong.IDLE, !idle.isEmpty(), "none of these since " + calm + ": " + idle);
    }

    private Set<String> idle(Instant calm) {
        Set<String> idle = new TreeSet<>();
        for (String node : chaos.names()) {
            workloads.keySet().forEach(kind -> idle.add(kind.word() + " by " + node));
        }
        try (Connection connection = chaos.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(Books.LATEST)) {
            while (row.next()) {
                if (Books.instant(row, 3).isAfter(calm)) {
                    idle.remove(row.getString(1) + " by " + row.getString(2));
                }
            }
        } catch (SQLException away) {
            // Nothing is known of anybody then.
        }
        return idle;
    }

    private void startPumps() {
        int shares = wish.workloads().stream().mapToInt(Workload.Kind::share).sum();
        workloads.forEach((kind, workload) -> {
            if (kind.share() > 0) {
                Chaos.Put put = wish.inside() ? number -> chaos.ask(kind.word(), number) : workload::put;
                pumps.put(kind, Pump.start(kind.word(), workload, put, (double) wish.rate() * kind.share() / shares));
            }
        });
    }

    private void loseTheDatabaseTwice() throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            Thread.sleep(QUIET.toMillis());
            chaos.databaseAway(wish.away());
        }
        Thread.sleep(QUIET.toMillis());
    }

    /** How much waits, for the pumps; and whether a dead one lives. */
    private void look() {
        while (true) {
            try {
                Thread.sleep(400);
                for (Map.Entry<Workload.Kind, Pump> one : pumps.entrySet()) {
                    one.getValue().waiting(waiting(one.getKey()));
                }
                deadRenewed = Math.max(deadRenewed, number(DEAD_RENEWED));
            } catch (SQLException away) {
                // It looks again.
            } catch (InterruptedException over) {
                return;
            }
        }
    }

    private long waiting(Workload.Kind kind) throws SQLException {
        Workload workload = workloads.get(kind);
        return workload == null || workload.waiting().isEmpty()
                ? 0
                : number(workload.waiting().get());
    }

    private long number(String query) throws SQLException {
        try (Connection connection = chaos.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private Verdict verdict(Duration raged, Findings common) throws Exception {
        Map<Workload, Findings> found = new LinkedHashMap<>();
        workloads.forEach((kind, workload) -> found.put(workload, new Findings(kind.word())));
        awaitEnd(common);
        if (wish.time().compareTo(AT_LENGTH) >= 0) {
            for (Map.Entry<Workload, Findings> one : found.entrySet()) {
                one.getKey().calm(chaos, one.getValue());
            }
            awaitEnd(common);
        }
        Books books = Books.read(chaos.dataSource(), wish.kind(), chaos.refused());
        for (Map.Entry<Workload, Findings> one : found.entrySet()) {
            one.getKey().check(chaos, books, one.getValue());
        }
        List<Findings> all = new ArrayList<>(found.values());
        checkHolders(books, common);
        all.add(common);
        return new Verdict(
                wish,
                raged,
                all,
                new TreeMap<>(chaos.faults()),
                chaos.deaths(),
                takenOutHere || !chaos.said(WorkloadNode.TAKEN_OUT).isEmpty(),
                chaos.refused().size(),
                chaos.said(LockWorkload.REFUSED).size(),
                RunWorkload.redone(chaos),
                recovery.afterKills(books),
                recovery.afterDatabaseFaults(books),
                recovery.unmeasured(),
                recovery.absences(),
                resumed(books));
    }

    private void checkHolders(Books books, Findings findings) throws SQLException {
        findings.items(books.number("select count(*) from turno_holder"));
        findings.add(Wrong.TAKEN_BY_THE_DEAD, books.number("select count(*) from chaos_dead_take"));
        findings.add(Wrong.DEAD_RENEWED, Math.max(deadRenewed, books.number(DEAD_RENEWED)));
    }

    private void awaitEnd(Findings findings) throws Exception {
        long until = System.nanoTime() + wish.aim().patience().toNanos();
        boolean over = false;
        while (!over && System.nanoTime() - until < 0) {
            Thread.sleep(200);
            chaos.replaceTheDead();
            over = isAllDone();
        }
        findings.add(Wrong.STUCK, !over, "something still waits " + wish.aim().patience() + " after the storm");
    }

    /** Not known to be, if the database cannot be asked. */
    private boolean isAllDone() {
        try {
            long left = 0;
            for (Workload.Kind kind : workloads.keySet()) {
                left += waiting(kind);
            }
            return left == 0;
        } catch (SQLException away) {
            return false;
        }
    }

    /** How long after each return of the database each workload had its next effect; the longest of all. */
    private List<Duration> resumed(Books books) throws SQLException {
        List<Duration> longest = new ArrayList<>();
        for (Instant back : recovery.returns()) {
            Duration slowest = Duration.ZERO;
            for (Workload.Kind kind : workloads.keySet()) {
                Instant next = books.effects(kind.word()).stream()
                        .map(Books.Effect::at)
                        .filter(at -> at.isAfter(back))
                        .min(Instant::compareTo)
                        .orElse(Instant.MAX);
                Duration took = next.equals(Instant.MAX) ? wish.aim().patience() : Duration.between(back, next);
                slowest = took.compareTo(slowest) > 0 ? took : slowest;
            }
            longest.add(slowest);
        }
        return longest;
    }

    @Override
    public void close() {
        look.interrupt();
        turno.close();
        chaos.close();
    }
}
