package dev.turno.server.external;

import dev.turno.Turno;
import dev.turno.claim.HolderId;
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

    private static final String PREFIX = "external/";
    private static final Duration MARGIN = Duration.ofMinutes(1);
    private static final int MOST = 1_000;

    private final Turno turno;
    private final LongSupplier nanos;
    private final Map<String, Guest> byWorker = new HashMap<>(); // guarded by this

    Guests(Turno turno, LongSupplier nanos) {
        this.turno = turno;
        this.nanos = nanos;
    }

    /** How a worker is named among the holders. */
    static String nodeOf(String worker) {
        return PREFIX + worker;
    }

    /** The worker's holder, with a lease that lasts longer than {@code claim} from now. */
    synchronized HolderId holderFor(String worker, Duration claim) {
        long now = nanos.getAsLong();
        Guest guest = byWorker.get(worker);
        Duration left = guest == null ? Duration.ZERO : Duration.ofNanos(guest.leaseUntil() - now);
        if (guest != null && left.compareTo(claim.plus(MARGIN)) >= 0) {
            return guest.id();
        }
        // Twice what is needed, so that this happens once in a while; and never shorter than before: other claims may
        // need it.
        Duration needed = claim.multipliedBy(2).plus(MARGIN);
        Duration lease = needed.compareTo(left) > 0 ? needed : left;
        HolderId id = guest != null && turno.renewGuest(guest.id(), lease)
                ? guest.id()
                : turno.registerGuest(nodeOf(worker), lease);
        forgetSome(now);
        byWorker.put(worker, new Guest(id, now + lease.toNanos()));
        return id;
    }

    private void forgetSome(long now) {
        if (byWorker.size() >= MOST) {
            byWorker.values().removeIf(guest -> guest.leaseUntil() - now < 0);
        }
        if (byWorker.size() >= MOST) {
            byWorker.clear(); // their rows stay until they lapse; who comes again gets another
        }
    }
}
