package dev.turno.benchmarks.runners;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.TestDatabase;
import java.util.function.IntConsumer;

/** Somebody who stores numbered items and runs each of them once. */
public interface Runner {

    /** As many handlers at once, where somebody has to be told. */
    int THREADS = 50;

    /** A connection for each of them, and some for whatever else there is to do. */
    int CONNECTIONS = THREADS + 10;

    String who();

    /** Its version and how it is set up, to be printed. */
    String settings();

    default boolean runsOn(TestDatabase kind) {
        return true;
    }

    /** Makes its tables. */
    void create(HikariDataSource pool, TestDatabase kind) throws Exception;

    /** A process of it; nothing runs before {@link Node#start}. */
    Node open(HikariDataSource pool, TestDatabase kind) throws Exception;

    /** Closed after a pass. Shared by threads. */
    interface Node extends AutoCloseable {

        /** Stores one item, which is on the disk afterwards. */
        void put(int number) throws Exception;

        /** Stores many, in the quickest way that it has. */
        void putAll(int from, int to) throws Exception;

        /** From now on runs what is stored. */
        void start(IntConsumer ran) throws Exception;

        /** How many items are stored and not finished. */
        long left() throws Exception;

        @Override
        void close();
    }
}
