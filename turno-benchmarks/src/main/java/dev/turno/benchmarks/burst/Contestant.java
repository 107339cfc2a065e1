package dev.turno.benchmarks.burst;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/** Somebody who can start tasks at an instant. */
interface Contestant {

    String who();

    /** How long it takes to schedule so many, and to be ready for them. */
    Duration leadTime(int tasks);

    /** So many tasks warm its processes up: enough for its code to be compiled, and no more than it gets through in time. */
    default int warmUp() {
        return 2_000;
    }

    /** Makes its tables. */
    void create(HikariDataSource pool) throws Exception;

    /** Schedules everything in the plan, while its nodes run already. */
    void schedule(HikariDataSource pool, Plan plan) throws Exception;

    /** In a process of its own: runs what is due until the process ends. Each run calls {@link Starts#started}. */
    void run(HikariDataSource pool) throws Exception;
}
