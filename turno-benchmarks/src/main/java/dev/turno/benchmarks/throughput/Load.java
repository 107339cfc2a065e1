package dev.turno.benchmarks.throughput;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What there is to do for each message. */
enum Load {
    NOTHING {
        @Override
        void bear() {}
    },
    /** As a call to somebody else who answers at once: the thread waits. */
    MILLISECOND {
        @Override
        void bear() {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    };

    abstract void bear();
}
