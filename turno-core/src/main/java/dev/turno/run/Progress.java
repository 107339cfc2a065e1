package dev.turno.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a run is, as of its last stored page.
 *
 * @param completed items whose effects are stored
 * @param skipped items passed over
 * @param parked items in the run's list of parked ones
 * @param total as its source said
 * @param perSecond since it was last taken; 0 until a page is stored
 * @param estimatedEnd at this rate; empty if the total or the rate is unknown, or it is not under way
 */
public record Progress(
        long completed,
        long skipped,
        long parked,
        Optional<Long> total,
        double perSecond,
        Optional<Instant> estimatedEnd) {

    /** From 0 to 1; empty if the total is unknown. */
    public Optional<Double> rate() {
        return total.map(all -> all == 0 ? 1.0 : Math.min(1.0, (double) handled() / all));
    }

    /** Of a run that is not under way: nobody knows when it ends. */
    Progress atRest() {
        return new Progress(completed, skipped, parked, total, perSecond, Optional.empty());
    }

    private long handled() {
        return completed + skipped + parked;
    }

    static Progress of(
            long completed,
            long skipped,
            long parked,
            Optional<Long> total,
            long sinceTaken,
            Optional<Instant> takenAt,
            Optional<Instant> checkpointAt) {
        double seconds = takenAt.isPresent() && checkpointAt.isPresent()
                ? Duration.between(takenAt.get(), checkpointAt.get()).toMillis() / 1000.0
                : 0;
        double perSecond = seconds > 0 ? sinceTaken / seconds : 0;
        long left = Math.max(0, total.orElse(0L) - completed - skipped - parked);
        Optional<Instant> end = total.isPresent() && perSecond > 0
                ? checkpointAt.map(at -> at.plusMillis((long) (left / perSecond * 1000)))
                : Optional.empty();
        return new Progress(completed, skipped, parked, total, perSecond, end);
    }
}
