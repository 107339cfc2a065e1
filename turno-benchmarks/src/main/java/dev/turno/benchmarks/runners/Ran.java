package dev.turno.benchmarks.runners;

import java.util.function.IntConsumer;

/** Whom to tell that an item ran. Static, because some peers make their handlers themselves. */
final class Ran {

    private static volatile IntConsumer hearer = number -> {};

    private Ran() {}

    static void tell(IntConsumer whom) {
        hearer = whom;
    }

    static void item(int number) {
        hearer.accept(number);
    }
}
