package dev.turno.harvester.oai;

import java.time.Duration;

/**
 * Limits and habits of the client.
 *
 * @param connect how long a connection may take
 * @param silence how long a source may send nothing before it is given up
 * @param most how long one page may take in all
 * @param wireBytes the most bytes of a page as it is sent
 * @param pageBytes the most bytes of a page when it is unpacked: a small gzip can hold any number
 * @param recordChars the most characters of one record's metadata
 * @param quickTries how often a passing failure is tried at once, before the caller hears of it
 * @param firstWait between the first two tries, doubled at each
 */
public record OaiOptions(
        Duration connect,
        Duration silence,
        Duration most,
        long wireBytes,
        long pageBytes,
        int recordChars,
        int quickTries,
        Duration firstWait) {

    public OaiOptions {
        if (wireBytes < 1_000 || pageBytes < 1_000 || recordChars < 1_000 || quickTries < 1 || quickTries > 20) {
            throw new IllegalArgumentException(
                    "The limits of a page are at least 1,000 bytes and characters, and it is tried" + " 1 to 20 times: "
                            + wireBytes + ", " + pageBytes + ", " + recordChars + ", " + quickTries + ".");
        }
    }

    public static OaiOptions defaults() {
        return new OaiOptions(
                Duration.ofSeconds(30),
                Duration.ofSeconds(90),
                Duration.ofMinutes(10),
                256L << 20,
                256L << 20,
                16 << 20,
                3,
                Duration.ofMillis(500));
    }

    /** For tests: hardly a pause between tries, and another patience with a source that sends nothing. */
    public OaiOptions hasty(Duration patience) {
        return new OaiOptions(
                connect, patience, most, wireBytes, pageBytes, recordChars, quickTries, Duration.ofMillis(5));
    }

    public OaiOptions withPageBytes(long bytes) {
        return new OaiOptions(connect, silence, most, wireBytes, bytes, recordChars, quickTries, firstWait);
    }

    public OaiOptions withRecordChars(int chars) {
        return new OaiOptions(connect, silence, most, wireBytes, pageBytes, chars, quickTries, firstWait);
    }
}
