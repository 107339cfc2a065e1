package dev.turno.benchmarks.throughput;

import dev.turno.benchmarks.result.Report;
import dev.turno.benchmarks.run.Setup;
import dev.turno.benchmarks.server.Server;

/**
 * Messages that wait, one node: how many a second with nothing to do for each, with a millisecond for each, and with a transaction for
 * each.
 */
public final class Throughput {

    static final String WORKLOAD = "throughput";

    private Throughput() {}

    public static Report run(Setup setup) throws Exception {
        try (Server server = Server.start(setup.database())) {
            Report nothing = new Nothing(server, setup).run();
            Report millisecond = new Millisecond(server, setup).run();
            Report transaction = new OneTransaction(server, setup).run();
            Report all = nothing.with(millisecond).with(transaction);
            return setup.isOnPostgres() ? all.with(new StoredRow(server, setup).run()) : all;
        }
    }
}
