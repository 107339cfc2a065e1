package dev.turno.testkit.process;

/** Counts aloud, as quickly as it can, up to a bound. */
final class CountingChild {

    private CountingChild() {}

    public static void main(String[] arguments) {
        ParentWatch.exitWithParent();
        for (int number = 1; number < 100_000_000; number++) {
            System.out.println(number);
        }
    }
}
