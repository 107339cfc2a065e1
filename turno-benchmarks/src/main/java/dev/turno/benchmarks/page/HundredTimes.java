package dev.turno.benchmarks.page;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What it would take at a hundred times the load: on paper, from the figures of the run. */
record HundredTimes(Results results) {

    private static final String WORKLOAD = "throughput, no-op";
    private static final String TURNO = "turno keep=7d";
    private static final int TIMES = 100;
    private static final double SECONDS_A_DAY = 86_400;
    private static final double DISK = 1e9;
    private static final int CORES_OF_A_SERVER = 16;

    String text() {
        Optional<Double> rate = results.value(WORKLOAD, TURNO, "messages/s");
        Optional<Double> commits = results.value(WORKLOAD, TURNO, "commits/message");
        Optional<Double> bytes = results.value(WORKLOAD, TURNO, "WAL bytes/message");
        if (rate.isEmpty() || commits.isEmpty() || bytes.isEmpty()) {
            return "The run has no throughput on PostgreSQL, so there is nothing to reckon with.\n";
        }
        return reckoned(rate.get(), commits.get(), bytes.get());
    }

    private String reckoned(double rate, double commits, double bytes) {
        int cores = Integer.parseInt(results.run().getOrDefault("cores", "2"));
        double load = TIMES * rate;
        double allCores = load * cores / rate;
        double disks = Math.ceil(load * bytes / DISK);
        double servers = Math.max(disks, Math.ceil(allCores / CORES_OF_A_SERVER));
        Map<String, String> numbers = Map.ofEntries(
                Map.entry("rate", count(rate)),
                Map.entry("cores", Integer.toString(cores)),
                Map.entry("load", count(load)),
                Map.entry("micros", decimal(cores * 1e6 / rate)),
                Map.entry("allCores", count(allCores)),
                Map.entry("coresOfAServer", Integer.toString(CORES_OF_A_SERVER)),
                Map.entry("bytes", count(bytes)),
                Map.entry("log", decimal(load * bytes / 1e9)),
                Map.entry("disks", count(disks)),
                Map.entry("servers", count(servers)),
                Map.entry("share", count(load / servers)),
                Map.entry("batch", count(1 / commits)),
                Map.entry("commits", count(load * commits)),
                Map.entry("commitsOfAServer", count(load * commits / servers)),
                Map.entry("rowsADay", decimal(load / servers * SECONDS_A_DAY / 1e9)),
                Map.entry("rowsAWeek", decimal(load * 7 * SECONDS_A_DAY / 1e12)),
                Map.entry("transactions", transactions()));
        String text = TEXT;
        for (Map.Entry<String, String> number : numbers.entrySet()) {
            text = text.replace("{" + number.getKey() + "}", number.getValue());
        }
        return text;
    }

    /** With a transaction for each message the disk decides, not the processor. */
    private String transactions() {
        Optional<Double> rate = results.value("throughput, a transaction each", "turno keep=none", "messages/s");
        return rate.map(
                        one -> "With a transaction for each message (" + count(one)
                                + " a second here) a hundred times as many are " + count(TIMES * one)
                                + " durable commits a second: a hundred such disks, whatever the processors. Batched finishes exist for that reason.")
                .orElse("");
    }

    private static String count(double number) {
        return String.format(Locale.ROOT, "%,.0f", number);
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%,.1f", number);
    }

    private static final String TEXT = """
            On paper, from the figures of this run; nothing of it was measured. The load is a hundred times what one node and one database got
            done here with the default retention: 100 x {rate} = {load} messages a second.

            **Processors.** {rate} messages a second on {cores} cores, database and handlers together, are {micros} core-microseconds a message.
            {load} a second need {allCores} cores.

            **Log.** {bytes} bytes a message make {log} GB a second. A disk that writes 1 GB a second carries a share of it: {disks} of them.

            **Commits.** One commit for {batch} messages: {commits} commits a second over all. That is never what is short, as long as finishes
            are batched. {transactions}

            **Rows.** Kept for the default seven days, {load} a second are {rowsAWeek} million million rows. Nobody wants those in a table: such
            an inbox has `keep = none`, or a day.

            | way | what it takes | what is in the way |
            |---|---|---|
            | several databases, by namespace | {servers} servers with {coresOfAServer} cores, a database each, {share} messages a second and {commitsOfAServer} commits a second on every one. A producer chooses the database by a hash of the key; ordering keys, locks and lanes stay inside one. Nothing in Turno changes: one `Turno` per data source | what has to be unique over all (a message id) must decide the database. Moving a key means draining it |
            | partitioned tables | `turno_inbox` by range of `put_at`, a day to a partition: retention drops a partition instead of deleting {rowsADay} thousand million rows a day on each server. The take reads the small partial index of what waits, so its cost does not grow with what is finished (see growth) | the unique (inbox, message id) would have to hold the day too: duplicates are recognised within a partition only |
            | Citus, through the PostgreSQL dialect | distributed by `inbox_id`, holders and settings as reference tables: every statement names its inbox, so each goes to one shard | one inbox lives on one shard: a single hot inbox has to be cut into several by hand |
            | YugabyteDB, through the PostgreSQL dialect | tables split by hash of (inbox, class); a commit is a round of consensus of some milliseconds, which a batch of {batch} pays once | the take finds its rows again by their place on the page (`ctid`), which is not there: a dialect of its own would go by the primary key. Wake-ups by NOTIFY may be missing; polling stays |
            """;
}
