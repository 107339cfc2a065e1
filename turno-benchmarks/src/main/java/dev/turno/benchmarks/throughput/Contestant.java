package dev.turno.benchmarks.throughput;

import dev.turno.testkit.database.FreshDatabase;
import java.util.List;

/** Somebody who can get waiting messages done. */
interface Contestant {

    /** How long anybody may take for one pass: far more than needed, but not for ever. */
    long PATIENCE_SECONDS = 300;

    String who();

    /** So many wait for it when so many are wanted of it; the quick ones get done all that wait. */
    default int waiting(Sizes sizes) {
        return sizes.messages();
    }

    /** So many it has to get done before the clock is stopped. */
    default int wanted(Sizes sizes) {
        return sizes.messages();
    }

    /** Makes its tables and puts messages {@code 0} to {@code waiting - 1} into them. Leaves no connection open. */
    void fill(FreshDatabase database, int waiting) throws Exception;

    /** Gets at least {@code wanted} of them done and stops. Leaves no connection open. */
    Pass handle(FreshDatabase database, int waiting, int wanted) throws Exception;

    /** @param violations what was not done right */
    record Pass(int messages, double seconds, List<String> violations) {

        double rate() {
            return messages / seconds;
        }
    }
}
