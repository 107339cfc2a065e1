package dev.turno.benchmarks.growth;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.Turno;
import dev.turno.benchmarks.run.Rounds;
import dev.turno.benchmarks.runners.NodeProcess;
import dev.turno.benchmarks.runners.RunnerNode;
import dev.turno.benchmarks.runners.Sql;
import dev.turno.benchmarks.server.Server;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.NewMessage;
import dev.turno.testkit.database.FreshDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** One, two, four and eight processes at one inbox: how much they get done together. */
final class ManyProcesses {

    private static final int AT_ONCE = 10_000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration TO_NOTICE = Duration.ofSeconds(3);

    private final Server server;
    private final Growth.Size size;
    private final Growth growth;

    ManyProcesses(Server server, Growth.Size size, Growth growth) {
        this.server = server;
        this.size = size;
        this.growth = growth;
    }

    void run() throws Exception {
        Map<Integer, List<Double>> rates = new LinkedHashMap<>();
        Rounds rounds = growth.setup().rounds(2, 0.2);
        while (rounds.next()) {
            for (int processes = 1; processes <= size.processes(); processes *= 2) {
                rates.computeIfAbsent(processes, key -> new ArrayList<>()).add(rate(processes));
            }
        }
        rates.forEach((processes, all) -> growth.figure("processes: " + processes, "messages/s", all));
    }

    private double rate(int processes) throws Exception {
        try (FreshDatabase database = server.fresh();
                HikariDataSource pool = database.newPool(database.url(), 4);
                Turno turno = Turno.start(pool)) {
            Inbox inbox = turno.inbox(Rows.INBOX);
            List<NodeProcess> nodes = new ArrayList<>();
            try {
                for (int i = 0; i < processes; i++) {
                    nodes.add(NodeProcess.start(RunnerNode.class, "turno", database));
                }
                nodes.forEach(NodeProcess::awaitReady);
                int warmUp = size.items() / 5;
                handled(inbox, nodes, 0, warmUp); // compiles
                double seconds = handled(inbox, nodes, warmUp, warmUp + size.items());
                judge(pool, nodes, warmUp + size.items());
                double rate = size.items() / seconds;
                growth.say(String.format(Locale.ROOT, "%d processes: %,.0f messages/s", processes, rate));
                return rate;
            } finally {
                nodes.forEach(NodeProcess::close);
            }
        }
    }

    /** The inbox is paused while it is filled, so that all begin at once. Answers the seconds until the last one has started. */
    private static double handled(Inbox inbox, List<NodeProcess> nodes, int from, int to) throws InterruptedException {
        inbox.pause();
        for (int next = from; next < to; next += AT_ONCE) {
            inbox.putAll(IntStream.range(next, Math.min(to, next + AT_ONCE))
                    .mapToObj(number -> NewMessage.of(Integer.toString(number), "{\"order\":" + number + "}"))
                    .toList());
        }
        TimeUnit.NANOSECONDS.sleep(TO_NOTICE.toNanos());
        long started = System.nanoTime();
        inbox.resume();
        while (nodes.stream().mapToInt(NodeProcess::count).sum() < to) {
            if (System.nanoTime() - started > PATIENCE.toNanos()) {
                throw new IllegalStateException("The processes did not get done in " + PATIENCE + ".");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return (System.nanoTime() - started) / 1e9;
    }

    private void judge(HikariDataSource pool, List<NodeProcess> nodes, int items) throws Exception {
        int[] runs = new int[items];
        nodes.forEach(node -> node.starts((number, micros) -> runs[number]++));
        long once = IntStream.of(runs).filter(count -> count == 1).count();
        growth.require(
                once == items, nodes.size() + " processes: " + (items - once) + " messages did not run exactly once");
        long end = System.nanoTime() + TO_NOTICE.toNanos() * 10;
        while (open(pool) > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        growth.require(open(pool) == 0, nodes.size() + " processes: " + open(pool) + " messages are not finished");
    }

    private static long open(HikariDataSource pool) throws Exception {
        return Sql.number(pool, "select count(*) from turno_inbox where state <> 'DONE'");
    }
}
