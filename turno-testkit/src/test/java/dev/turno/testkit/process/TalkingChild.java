package dev.turno.testkit.process;

/** Says what it hears, ends when it is told to, and fails when it is told to. */
final class TalkingChild {

    private TalkingChild() {}

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println("ready " + String.join(" ", arguments));
        ParentWatch.exitWithParent(TalkingChild::hear);
        Thread.currentThread().join();
    }

    private static void hear(String line) {
        if (line.equals("fail")) {
            throw new IllegalStateException("as I was told");
        }
        System.out.println("heard " + line);
        if (line.equals("end")) {
            System.exit(7);
        }
    }
}
