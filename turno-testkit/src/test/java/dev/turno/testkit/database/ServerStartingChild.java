package dev.turno.testkit.database;

import dev.turno.testkit.process.RunDirectory;

/** Starts a server of each kind and tells where their files are. */
final class ServerStartingChild {

    private ServerStartingChild() {}

    public static void main(String[] arguments) throws InterruptedException {
        for (TestDatabase kind : TestDatabase.values()) {
            FreshDatabase database = kind.freshOnServer();
            System.err.println(database.url());
        }
        System.out.println(RunDirectory.ofThisJvm());
        Thread.currentThread().join();
    }
}
