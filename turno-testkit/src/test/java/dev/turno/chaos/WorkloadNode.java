package dev.turno.chaos;

import dev.turno.simulation.Broken;
import dev.turno.testkit.chaos.ChaosNode;
import dev.turno.worker.Backoff;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** One process that does all workloads of {@code workload=}, perhaps with a product from which {@code broken=} was taken out. */
final class WorkloadNode {

    /** What failed comes again soon. */
    static final Backoff QUICK = Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(1));

    static final int ATTEMPTS = 1_000;

    /** Said when the product has asked for the first statement from which the rule was taken out. */
    static final String TAKEN_OUT = "taken out";

    private WorkloadNode() {}

    public static void main(String[] words) {
        ChaosNode node = ChaosNode.start(
                words,
                source -> BrokenSource.around(
                        source, rule(words, "broken="), rule(words, "hesitant="), () -> System.out.println(TAKEN_OUT)));
        for (Workload.Kind kind : Workload.named(node.word("workload").orElseThrow())) {
            Workload workload = kind.make();
            workload.work(node);
            node.answer(kind.word(), workload::put);
        }
        node.ready();
    }

    private static Broken rule(String[] words, String name) {
        for (String word : words) {
            if (word.startsWith(name)) {
                return Broken.valueOf(word.substring(name.length()));
            }
        }
        return Broken.NOTHING;
    }

    /** Time in which something may happen. */
    static void pause(int longestMillis) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(longestMillis + 1));
    }
}
