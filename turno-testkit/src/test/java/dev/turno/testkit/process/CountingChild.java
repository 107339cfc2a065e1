package dev.turno.testkit.process;

/** Counts aloud, as quickly as it can, up to as many lines as a parent keeps. */
final class CountingChild {

    private CountingChild() {}

    public static void main(String[] arguments) {
        ParentWatch.exitWithParent();
        for (int number = 1; number < 1_000_000; number++) {
            System.out.println(number);
        }
    }
}
