package dev.turno.server.external;

import dev.turno.Turno;
import dev.turno.claim.HolderId;
import dev.turno.web.api.TooManyException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The holders under which external workers take: one row for each worker that comes through this server. Nobody renews it in the
 * background; each taking sees to it that the row outlives the claims taken under it, so this server may die meanwhile. Shared by
 * threads.
 */
final class Guests {

    private record Guest(HolderId id, long leaseUntil) {}

    static final int MOST_OF_A_TOKEN = 100;
    private static final int MOST = 1_000;
    private static final Duration MARGIN = Duration.ofMinutes(1);

    private final Turno turno;
    private final LongSupplier nanos;
    private final Map<WorkerName, Guest> byWorker = new HashMap<>(); // guarded by this

    Guests(Turno turno, LongSupplier nanos) {
        this.turno = turno;
        this.nanos = nanos;
    }

    /**
     * The worker's holder, with a lease that lasts longer than {@code claim} from now.
     *
     * @throws TooManyException if there are as many workers as may be
     */
    synchronized HolderId holderFor(WorkerName worker, Duration claim) {
        long now = nanos.getAsLong();
        Guest guest = byWorker.get(worker);
        Duration left = guest == null ? Duration.ZERO : Duration.ofNanos(guest.leaseUntil() - now);
        if (guest != null && left.compareTo(claim.plus(MARGIN)) >= 0) {
            return guest.id();
        }
        if (guest == null) {
            requireRoom(worker, now);
        }
        // Twice what is needed, so that this happens once in a while; and never shorter than before: other claims may
        // need it.
        Duration needed = claim.multipliedBy(2).plus(MARGIN);
        Duration lease = needed.compareTo(left) > 0 ? needed : left;
        HolderId id = guest != null && turno.renewGuest(guest.id(), lease)
                ? guest.id()
                : turno.registerGuest(worker.node(), lease);
        byWorker.put(worker, new Guest(id, now + lease.toNanos()));
        return id;
    }

    /** Each is a row that others look at: a worker that calls itself differently every time must not add them without end. */
    private void requireRoom(WorkerName worker, long now) {
        byWorker.values().removeIf(guest -> guest.leaseUntil() - now < 0);
        long ofToken = byWorker.keySet().stream()
                .filter(other -> other.token().equals(worker.token()))
                .count();
        if (ofToken >= MOST_OF_A_TOKEN || byWorker.size() >= MOST) {
            throw new TooManyException("There are " + ofToken + " workers of this token and " + byWorker.size()
                    + " in all; at most " + MOST_OF_A_TOKEN + " and " + MOST
                    + " may be. Nothing was taken. Use the names of workers again, or wait until some were not heard of for"
                    + " long.");
        }
    }
}
