package dev.turno.harvester.harvest;

import dev.turno.harvester.oai.OaiOptions;
import dev.turno.worker.Backoff;
import java.time.Duration;

/**
 * How harvests behave.
 *
 * @param identify whether the source is asked who it is before; without, its granularity is taken for days
 * @param prefixWithToken for sources that want the metadata prefix with the token too
 * @param least the smallest share of the records before that a harvest may show without a person's word
 * @param fullEvery how often everything is asked for at sources that do not remember deletions for good
 * @param maxFailures after so many failures of the source in a row the harvest fails
 * @param partBytes about so much XML goes into one part; less, down to an eighth, at the beginning of a harvest
 * @param longestChain when so many snapshots lie over each other, everything is asked for again; merging them in time avoids it
 */
public record HarvestOptions(
        OaiOptions client,
        boolean identify,
        boolean prefixWithToken,
        double least,
        Duration fullEvery,
        int maxFailures,
        Backoff backoff,
        long partBytes,
        int longestChain) {

    /** What {@link dev.turno.harvester.network.Snapshots#chain} can follow, with room for a change of mind. */
    private static final int LONGEST_CHAIN = 1_000;

    public HarvestOptions {
        if (least < 0
                || least > 1
                || maxFailures < 1
                || maxFailures > 1_000
                || partBytes < 1
                || longestChain < 1
                || longestChain > LONGEST_CHAIN) {
            throw new IllegalArgumentException(
                    "The least share is 0 to 1, the failures 1 to 1,000, a part has a size, and a chain 1 to "
                            + LONGEST_CHAIN + " snapshots: " + least + ", " + maxFailures + ", " + partBytes + ", "
                            + longestChain + ".");
        }
    }

    public static HarvestOptions defaults() {
        return new HarvestOptions(
                OaiOptions.defaults(),
                true,
                false,
                0.5,
                Duration.ofDays(30),
                12,
                Backoff.exponential(Duration.ofSeconds(5), Duration.ofHours(1)),
                64L << 20,
                LONGEST_CHAIN);
    }

    public HarvestOptions with(OaiOptions wished) {
        return new HarvestOptions(
                wished, identify, prefixWithToken, least, fullEvery, maxFailures, backoff, partBytes, longestChain);
    }

    public HarvestOptions withBackoff(Backoff wished, int failures) {
        return new HarvestOptions(
                client, identify, prefixWithToken, least, fullEvery, failures, wished, partBytes, longestChain);
    }

    public HarvestOptions withPartBytes(long bytes) {
        return new HarvestOptions(
                client, identify, prefixWithToken, least, fullEvery, maxFailures, backoff, bytes, longestChain);
    }

    public HarvestOptions withPrefixAndToken() {
        return new HarvestOptions(
                client, identify, true, least, fullEvery, maxFailures, backoff, partBytes, longestChain);
    }

    public HarvestOptions withoutIdentify() {
        return new HarvestOptions(
                client, false, prefixWithToken, least, fullEvery, maxFailures, backoff, partBytes, longestChain);
    }

    public HarvestOptions withFullEvery(Duration period) {
        return new HarvestOptions(
                client, identify, prefixWithToken, least, period, maxFailures, backoff, partBytes, longestChain);
    }

    public HarvestOptions withLongestChain(int snapshots) {
        return new HarvestOptions(
                client, identify, prefixWithToken, least, fullEvery, maxFailures, backoff, partBytes, snapshots);
    }
}
