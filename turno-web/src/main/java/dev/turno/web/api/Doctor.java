package dev.turno.web.api;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.turno.Turno;
import dev.turno.web.sql.Dialect;
import dev.turno.web.tables.WebTables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Looks for what makes a database slow or wrong. Reads only. Shared by threads. */
public final class Doctor {

    private static final Duration MOMENT = Duration.ofMillis(300);
    private static final Duration SKEW = Duration.ofSeconds(1);
    private static final Duration OLD = Duration.ofMinutes(5);
    private static final long MANY_DEAD_ROWS = 100_000;
    private static final Pattern INDEX =
            Pattern.compile("(?im)^\\s*(?:create (?:unique )?index if not exists|(?:unique )?(?:index|key)) (\\w+)");

    /** What was looked at, and what was seen; code and values are for those who say it in another language. */
    public record Finding(String check, boolean good, String says, String code, Map<String, Object> values) {

        static Finding of(String check, boolean good, Said said) {
            return new Finding(check, good, said.text(), said.code(), said.values());
        }
    }

    private final DataSource source;
    private final JdbcClient jdbc;
    private final WebTables tables;

    public Doctor(DataSource source, WebTables tables) {
        this.source = source;
        this.jdbc = JdbcClient.create(source);
        this.tables = tables;
    }

    public List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        look(findings, "schema", this::schema);
        look(findings, "clock", this::clock);
        look(findings, "pool", this::pool);
        look(findings, "indexes", this::indexes);
        if (tables.dialect() == Dialect.POSTGRESQL) {
            look(findings, "oldest transaction", this::oldestTransaction);
            look(findings, "dead rows", this::deadRows);
        }
        return findings;
    }

    @FunctionalInterface
    private interface Look {
        Finding look();
    }

    private static void look(List<Finding> findings, String check, Look look) {
        try {
            findings.add(look.look());
        } catch (DataAccessException e) {
            String why = String.valueOf(e.getMostSpecificCause().getMessage());
            findings.add(Finding.of(check, false, Said.of("away", "It could not be looked at: {why}", "why", why)));
        }
    }

    private Finding schema() {
        int version = jdbc.sql("select max(version) from turno_schema")
                .query(Integer.class)
                .single();
        return Finding.of("schema", true, Said.of("schema", "The tables have version {n}.", "n", version));
    }

    private Finding clock() {
        Instant before = Instant.now();
        Instant there = now();
        Duration half = Duration.between(before, Instant.now()).dividedBy(2);
        Duration between = Duration.between(before.plus(half), there).abs();
        // What the question's own way can explain is no difference.
        Duration skew = between.compareTo(half) > 0 ? between.minus(half) : Duration.ZERO;
        String says = "The clocks of this machine and of the database differ by {ms} ms.";
        long millis = skew.toMillis();
        return skew.compareTo(SKEW) < 0
                ? Finding.of("clock", true, Said.of("clock", says, "ms", millis))
                : Finding.of(
                        "clock",
                        false,
                        Said.of(
                                "clock.off",
                                says + " Turns follow the database's; keep both in step with NTP.",
                                "ms",
                                millis));
    }

    private Instant now() {
        return tables.sql("now")
                .query((row, index) -> tables.dialect().moment(row, "now_at").orElseThrow())
                .single();
    }

    private Finding pool() {
        if (!(source instanceof HikariDataSource hikari) || hikari.getHikariPoolMXBean() == null) {
            Said said = Said.of("pool.unknown", "The pool is not one that can be looked into.");
            return Finding.of("pool", true, said);
        }
        HikariPoolMXBean pool = hikari.getHikariPoolMXBean();
        String says = "{used} of at most {most} connections are in use, {wait} threads wait for one.";
        boolean isEnough = pool.getThreadsAwaitingConnection() == 0 || isEnoughInAMoment(pool);
        return Finding.of(
                "pool",
                isEnough,
                Said.of(
                        isEnough ? "pool" : "pool.full",
                        isEnough ? says : says + " Raise spring.datasource.hikari.maximum-pool-size.",
                        "used",
                        pool.getActiveConnections(),
                        "most",
                        hikari.getMaximumPoolSize(),
                        "wait",
                        pool.getThreadsAwaitingConnection()));
    }

    /** That somebody waits is no trouble; that somebody always waits is. */
    private static boolean isEnoughInAMoment(HikariPoolMXBean pool) {
        LockSupport.parkNanos(MOMENT.toNanos());
        return pool.getThreadsAwaitingConnection() == 0;
    }

    private Finding indexes() {
        Set<String> missing = new TreeSet<>();
        Dialect dialect = tables.dialect();
        Matcher matcher = INDEX.matcher(Turno.schemaScript(dialect.folder()) + "\n" + WebTables.script(dialect));
        while (matcher.find()) {
            missing.add(matcher.group(1).toLowerCase(Locale.ROOT));
        }
        int expected = missing.size();
        missing.removeAll(existingIndexes());
        return missing.isEmpty()
                ? Finding.of("indexes", true, Said.of("indexes", "All {n} named indexes are there.", "n", expected))
                : Finding.of(
                        "indexes",
                        false,
                        Said.of(
                                "indexes.missing",
                                "Missing: {names}. Create them as 'turno schema print {dialect}' shows.",
                                "names",
                                String.join(", ", missing),
                                "dialect",
                                dialect.folder()));
    }

    private Set<String> existingIndexes() {
        String ask = switch (tables.dialect()) {
            case POSTGRESQL ->
                "select indexname from pg_indexes where tablename like 'turno%'"
                        + " and schemaname = any (current_schemas(false))";
            case MARIADB ->
                "select distinct index_name from information_schema.statistics where table_name like 'turno%'"
                        + " and table_schema = database()";
            case H2 -> "select index_name from information_schema.indexes where table_name like 'TURNO%'";
        };
        Set<String> names = new HashSet<>();
        jdbc.sql(ask).query(String.class).list().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        return names;
    }

    private Finding oldestTransaction() {
        long seconds = jdbc.sql("select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::bigint"
                        + " from pg_stat_activity where state <> 'idle' and backend_type = 'client backend'")
                .query(Long.class)
                .single();
        String says = "The oldest open transaction is {s} s old.";
        boolean isYoung = seconds < OLD.toSeconds();
        return Finding.of(
                "oldest transaction",
                isYoung,
                Said.of(
                        isYoung ? "transaction" : "transaction.old",
                        isYoung
                                ? says
                                : says
                                        + " Dead rows cannot be cleaned while it is open, and takes become slow: find and end it.",
                        "s",
                        seconds));
    }

    private Finding deadRows() {
        List<String> bloated = jdbc.sql("select relname || ' (' || n_dead_tup || ')' from pg_stat_user_tables"
                        + " where relname like 'turno%' and n_dead_tup > greatest(n_live_tup, :many)")
                .param("many", MANY_DEAD_ROWS)
                .query(String.class)
                .list();
        return bloated.isEmpty()
                ? Finding.of("dead rows", true, Said.of("rows", "No table has many dead rows."))
                : Finding.of(
                        "dead rows",
                        false,
                        Said.of(
                                "rows.dead",
                                "More dead rows than living: {names}. Let autovacuum run oftener on these tables.",
                                "names",
                                String.join(", ", bloated)));
    }
}
