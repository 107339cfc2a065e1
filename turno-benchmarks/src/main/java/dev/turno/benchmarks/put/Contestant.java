package dev.turno.benchmarks.put;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.TestDatabase;

/** Somebody who stores items. */
interface Contestant {

    String who();

    /** Whether items can be stored together with what a user writes on a connection of his own. */
    default boolean joinsTransactions() {
        return false;
    }

    /** Makes its tables. */
    void create(HikariDataSource pool, TestDatabase kind) throws Exception;

    /** What all threads share, closed after a pass. */
    Open open(HikariDataSource pool, TestDatabase kind) throws Exception;

    interface Open extends AutoCloseable {

        /** For one thread. */
        Putter putter() throws Exception;

        /** How many are stored. */
        long stored() throws Exception;

        @Override
        void close();
    }

    /** Belongs to one thread. */
    interface Putter extends AutoCloseable {

        void one(int number) throws Exception;

        void many(int from, int to) throws Exception;

        /** Together with a row of the user's. */
        default void inTransaction(int number) throws Exception {
            throw new UnsupportedOperationException();
        }

        @Override
        default void close() throws Exception {}
    }
}
