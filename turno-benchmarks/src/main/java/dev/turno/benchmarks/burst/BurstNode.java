package dev.turno.benchmarks.burst;

import dev.turno.benchmarks.runners.Runner;
import dev.turno.benchmarks.runners.RunnerNode;
import dev.turno.benchmarks.runners.Starts;

/** One process of a contestant. */
final class BurstNode {

    private BurstNode() {}

    /** @param words who, then the kind, URL, user and password of the database */
    public static void main(String[] words) throws Exception {
        Starts.hearParent();
        Burst.contestant(words[0]).run(RunnerNode.pool(words, Runner.CONNECTIONS));
        Starts.readyForParent();
    }
}
