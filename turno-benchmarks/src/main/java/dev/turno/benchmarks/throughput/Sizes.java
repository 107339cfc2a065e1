package dev.turno.benchmarks.throughput;

/**
 * How much there is to do in one pass.
 *
 * @param messages for Turno and the bare statements
 * @param peer so many of the messages are waited for with the best peer, whose pass would last for a minute else
 * @param slow all there is for the other peers, which get done some hundreds a second
 * @param warmUp as many as there are before the first round
 */
record Sizes(int rounds, int messages, int peer, int slow, int warmUp) {

    Sizes forWarmUp() {
        return new Sizes(
                rounds, Math.min(warmUp, messages), Math.min(warmUp, peer), Math.min(warmUp, slow) / 2, warmUp);
    }
}
