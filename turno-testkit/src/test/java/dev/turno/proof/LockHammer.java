package dev.turno.proof;

import dev.turno.lock.Lease;
import dev.turno.lock.LockTerms;
import dev.turno.lock.Locks;
import dev.turno.lock.TakeOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Takes one lock again and again and tells the ledger when it is in and when it is out. Belongs to one thread. */
final class LockHammer {

    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final int SHORTEST_LEASE_MS = 100;
    private static final int LONGEST_LEASE_MS = 400;

    private final Locks locks;
    private final String name;
    private final String who;
    private final LockLedger.Client ledger;

    LockHammer(Locks locks, String name, String who, LockLedger.Client ledger) {
        this.locks = locks;
        this.name = name;
        this.who = who;
        this.ledger = ledger;
    }

    void run(Duration time) throws IOException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (end - System.nanoTime() > 0) {
            once();
        }
    }

    private void once() throws IOException, InterruptedException {
        var random = ThreadLocalRandom.current();
        Duration length = Duration.ofMillis(random.nextInt(SHORTEST_LEASE_MS, LONGEST_LEASE_MS));
        LockTerms terms = LockTerms.of(t ->
                t.lease(length).waitUpTo(WAIT).renewing(random.nextInt(4) == 0).cleanUp(false));
        TakeOutcome<Lease> outcome = locks.tryTake(name, terms);
        if (!(outcome instanceof TakeOutcome.Taken<Lease> taken)) {
            ledger.say("missed " + who + " " + outcome);
            return;
        }
        Lease lease = taken.lease();
        ledger.say("enter " + who + " " + lease.fence());
        TimeUnit.MICROSECONDS.sleep(random.nextInt(2_000));
        int fate = random.nextInt(50);
        if (fate == 0 && !terms.renewing()) {
            Thread.sleep(length.toMillis() + 50); // stays for too long, and knows it
        }
        ledger.say("leave " + who + " " + lease.fence());
        // Asked after the ledger has it: whoever still believes here was out before its lease passed.
        ledger.say((lease.isLost() ? "lapsed " : "believed ") + who + " " + lease.fence());
        if (fate != 1 || terms.renewing()) {
            lease.close(); // else it is left to lapse
        }
    }
}
