package dev.turno.harvester.rules;

import dev.turno.harvester.sql.Sql;
import java.sql.Connection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.sql.DataSource;

/** What the rules found in the records that a snapshot brought: per rule how many, which values, which records. Shared by threads. */
public final class Diagnosis {

    /** How often a rule held and was broken. */
    public record RuleCount(String rule, long holds, long breaks) {}

    public record ValueCount(String value, long n) {}

    /** What is known of a validation. */
    public record Validation(
            long snapshot, String fingerprint, long valid, long invalid, long transformed, boolean finished) {}

    /** How many different values of a rule are counted; what comes later is left out. */
    public static final int MOST_VALUES = 1_000;

    private static final int MOST_SWEPT = 1_000;
    private static final int MOST_SAMPLES = 20;
    private static final int LONGEST_VALUE = 400;

    private final Sql sql;

    public Diagnosis(DataSource source) {
        this.sql = new Sql(source, "rules");
    }

    /** Forgets what was found in a snapshot before, in the transaction of a validation's first page. */
    void begin(Connection connection, long snapshot, long network, String fingerprint) {
        forget(connection, snapshot);
        sql.call(connection, "validation-begin")
                .param("snapshot", snapshot)
                .param("network", network)
                .param("fingerprint", fingerprint)
                .update();
    }

    private void forget(Connection connection, long snapshot) {
        for (String what : List.of("counts-forget", "values-forget", "samples-forget", "validation-forget")) {
            sql.call(connection, what).param("snapshot", snapshot).update();
        }
    }

    /** Forgets what was found in snapshots that are gone. */
    public void sweep() {
        List<Long> left = sql.call("validations-left")
                .param("limit", MOST_SWEPT)
                .query(Long.class)
                .list();
        for (long snapshot : left) {
            sql.transaction(connection -> {
                forget(connection, snapshot);
                return true;
            });
        }
    }

    /** Adds what was found in a page, in its transaction. */
    void add(Connection connection, long snapshot, PageFindings found) {
        sql.call(connection, "validation-add")
                .param("snapshot", snapshot)
                .param("valid", found.valid())
                .param("invalid", found.invalid())
                .param("transformed", found.transformed())
                .update();
        found.rules().forEach((rule, tally) -> add(connection, snapshot, rule, tally));
    }

    private void add(Connection connection, long snapshot, String rule, PageFindings.Tally tally) {
        int known = sql.call(connection, "count-add")
                .param("snapshot", snapshot)
                .param("rule", rule)
                .param("holds", tally.holds())
                .param("breaks", tally.breaks())
                .update();
        if (known == 0) {
            sql.call(connection, "count-begin")
                    .param("snapshot", snapshot)
                    .param("rule", rule)
                    .param("place", tally.place())
                    .param("holds", tally.holds())
                    .param("breaks", tally.breaks())
                    .update();
        }
        samples(connection, snapshot, rule, true, tally.holders());
        samples(connection, snapshot, rule, false, tally.breakers());
        values(connection, snapshot, rule, true, tally.good());
        values(connection, snapshot, rule, false, tally.bad());
    }

    private void samples(Connection connection, long snapshot, String rule, boolean holds, List<String> identifiers) {
        if (identifiers.isEmpty()) {
            return;
        }
        long there = sql.call(connection, "samples-count")
                .param("snapshot", snapshot)
                .param("rule", rule)
                .param("holds", holds)
                .query(Long.class)
                .single();
        identifiers.stream()
                .limit(Math.max(0, MOST_SAMPLES - there))
                .forEach(identifier -> sql.call(connection, "sample-add")
                        .param("snapshot", snapshot)
                        .param("rule", rule)
                        .param("holds", holds)
                        .param("identifier", identifier.substring(0, Math.min(1_000, identifier.length())))
                        .update());
    }

    private void values(Connection connection, long snapshot, String rule, boolean good, Map<String, Long> counted) {
        if (counted.isEmpty()) {
            return;
        }
        Set<String> known = new HashSet<>(sql.call(connection, "values-known")
                .param("snapshot", snapshot)
                .param("rule", rule)
                .param("good", good)
                .query(String.class)
                .list());
        stored(counted).forEach((value, n) -> {
            if (known.contains(value) || known.size() < MOST_VALUES) {
                sql.call(connection, known.add(value) ? "value-begin" : "value-add")
                        .param("snapshot", snapshot)
                        .param("rule", rule)
                        .param("good", good)
                        .param("value", value)
                        .param("n", n)
                        .update();
            }
        });
    }

    /** As they fit the table; blanks at the end would be the same value to one database and another to the next. */
    private static Map<String, Long> stored(Map<String, Long> counted) {
        Map<String, Long> fitting = new TreeMap<>();
        counted.forEach((value, n) -> {
            String clean = value.replace('\0', '\uFFFD');
            String cut = clean.length() <= LONGEST_VALUE ? clean : clean.substring(0, LONGEST_VALUE);
            fitting.merge(cut.stripTrailing(), n, Long::sum);
        });
        return fitting;
    }

    void finish(Connection connection, long snapshot) {
        sql.call(connection, "validation-finish").param("snapshot", snapshot).update();
    }

    public Optional<Validation> validation(long snapshot) {
        return sql.call("validation")
                .param("snapshot", snapshot)
                .query(Diagnosis::row)
                .optional();
    }

    Validation validation(Connection connection, long snapshot) {
        return sql.call(connection, "validation")
                .param("snapshot", snapshot)
                .query(Diagnosis::row)
                .single();
    }

    /** The newest snapshot of a network whose records were all judged. */
    public Optional<Validation> lastFinished(long network) {
        return sql.call("validation-last")
                .param("network", network)
                .query(Diagnosis::row)
                .optional();
    }

    private static Validation row(java.sql.ResultSet row, int number) throws java.sql.SQLException {
        return new Validation(
                row.getLong("snapshot_id"),
                row.getString("fingerprint"),
                row.getLong("valid"),
                row.getLong("invalid"),
                row.getLong("transformed"),
                row.getBoolean("finished"));
    }

    public List<RuleCount> rules(long snapshot) {
        return sql.call("counts")
                .param("snapshot", snapshot)
                .query((row, n) -> new RuleCount(row.getString("rule"), row.getLong("holds"), row.getLong("breaks")))
                .list();
    }

    /** The most frequent values of a rule that were good, or bad. */
    public List<ValueCount> values(long snapshot, String rule, boolean good, int limit) {
        return sql.call("values")
                .param("snapshot", snapshot)
                .param("rule", rule)
                .param("good", good)
                .param("limit", Math.min(limit, MOST_VALUES))
                .query((row, n) -> new ValueCount(row.getString("value_text"), row.getLong("n")))
                .list();
    }

    /** Some records that kept a rule, or broke it. */
    public List<String> samples(long snapshot, String rule, boolean holds) {
        return sql.call("samples")
                .param("snapshot", snapshot)
                .param("rule", rule)
                .param("holds", holds)
                .param("limit", MOST_SAMPLES)
                .query(String.class)
                .list();
    }
}
