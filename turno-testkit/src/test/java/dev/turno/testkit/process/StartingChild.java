package dev.turno.testkit.process;

/** A test JVM in small: starts a child that knows nothing of its parent, and tells where it all is. */
final class StartingChild {

    private StartingChild() {}

    public static void main(String[] arguments) throws InterruptedException {
        ChildProcess child = Launch.command("sleep", "600").start();
        if (arguments.length > 0) {
            child.stop();
        }
        System.out.println("started " + child.pid());
        System.out.println("in " + RunDirectory.ofThisJvm());
        Thread.currentThread().join();
    }
}
