package dev.turno.benchmarks.chunks;

import dev.turno.testkit.database.FreshDatabase;

/** Somebody who adds 1 to every account, in pages of a thousand. */
interface Contestant {

    String who();

    /** Makes its tables and opens its connections. */
    Instance open(FreshDatabase database) throws Exception;

    /** Closed after a pass. */
    interface Instance extends AutoCloseable {

        /** Handles all rows once. */
        void run() throws Exception;

        @Override
        void close() throws Exception;
    }
}
