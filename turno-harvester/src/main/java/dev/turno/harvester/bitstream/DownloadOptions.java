package dev.turno.harvester.bitstream;

import java.time.Duration;

/**
 * How files are downloaded.
 *
 * @param mostBytes a larger file is refused
 * @param perHost the most downloads from one host at a time
 * @param gap between the beginnings of two downloads from one host
 * @param tries how often a download is resumed
 * @param timeout how long nothing may come
 */
public record DownloadOptions(long mostBytes, int perHost, Duration gap, int tries, Duration timeout) {

    public static DownloadOptions defaults() {
        return new DownloadOptions(200_000_000, 2, Duration.ofMillis(200), 5, Duration.ofSeconds(60));
    }
}
