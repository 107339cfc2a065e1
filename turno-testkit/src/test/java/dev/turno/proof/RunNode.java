package dev.turno.proof;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.run.Job;
import dev.turno.run.PageTurn;
import dev.turno.run.RunOptions;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.Step;
import dev.turno.testkit.process.ParentWatch;
import dev.turno.worker.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/**
 * One instance of an application that works runs, in a process of its own: {@code hop} says when it is in and out of its lanes,
 * {@code copy} copies rows page by page and says when a page begins.
 */
final class RunNode {

    static final String READY = "ready";
    static final String HOP = "hop";
    static final String COPY = "copy";
    static final String LANES = "lanes";
    static final int COPY_PAGE = 500;
    private static final int LONGEST_HOP_MS = 6;
    private static final Backoff QUICK = Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(1));

    private RunNode() {}

    public static void main(String[] words) throws InterruptedException {
        Wishes wishes = Wishes.of(words);
        String node = wishes.text("node");
        int ledger = wishes.number("ledger", 0);
        DataSource source = Pools.openPatiently(wishes.text("url"), wishes.text("user"), wishes.text("password"), 12);
        Turno turno = Turno.start(
                source, TurnoOptions.defaults().withNode(node).withLease(wishes.millis("lease", Stage.LEASE)));
        Runs runs = turno.runs(options());
        runs.add(hop(ledger, node));
        runs.add(copy(source, ledger, node));
        ParentWatch.exitWithParent(line -> {});
        turno.work(runs);
        System.out.println(READY);
        Thread.currentThread().join();
    }

    static RunOptions options() {
        return RunOptions.of(o -> o.backoff(QUICK).maxAttempts(100).poll(Duration.ofMillis(500)));
    }

    static Job<Integer> hop(int ledger, String node) {
        return Job.of(
                HOP,
                Source.iterator(run -> List.of(1).iterator()),
                Step.outside(Step.each((item, page) -> hop(ledger, node, page))));
    }

    private static void hop(int ledger, String node, PageTurn page) throws IOException, InterruptedException {
        String who =
                node + " " + page.run().id() + " " + page.run().parameters().get(LANES);
        try (LockLedger.Client client = LockLedger.Client.open(ledger)) {
            client.say("in " + who);
            Thread.sleep(ThreadLocalRandom.current().nextInt(LONGEST_HOP_MS));
            client.say("out " + who);
        }
    }

    private static Job<Long> copy(DataSource source, int ledger, String node) {
        return Job.of(
                COPY,
                Source.query(
                        source,
                        "select id from proof_item where id > ? order by id limit ?",
                        "id",
                        row -> row.getLong("id")),
                Step.batch("insert into proof_copy (id) values (?)", (insert, id) -> insert.setLong(1, id)),
                choices -> choices.pageSize(COPY_PAGE).beforePage(page -> {
                    try (LockLedger.Client client = LockLedger.Client.open(ledger)) {
                        client.say("page " + node + " " + page.run().cursor().orElse("0"));
                    }
                }));
    }
}
