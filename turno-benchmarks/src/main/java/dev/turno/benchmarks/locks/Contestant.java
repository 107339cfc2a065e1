package dev.turno.benchmarks.locks;

import dev.turno.testkit.database.FreshDatabase;

/** Somebody who can take a lock and give it back. */
interface Contestant {

    String who();

    /** Makes its tables and opens its connections. */
    Instance open(FreshDatabase database) throws Exception;

    /** Shared by threads, closed after a pass. */
    interface Instance extends AutoCloseable {

        /** What one thread does. */
        Client client() throws Exception;

        @Override
        void close() throws Exception;
    }

    /** Belongs to one thread. */
    interface Client extends AutoCloseable {

        /** Takes the lock, waiting for it if need be, runs {@code inside}, and gives it back. */
        void cycle(String name, Runnable inside) throws Exception;

        @Override
        default void close() throws Exception {}
    }
}
