package dev.turno.harvester.store;

import java.util.Optional;

/**
 * A Parquet file that counts, for those who read the store with tools of their own.
 *
 * @param file below the folder of the store
 * @param results the file with what the rules said about its rows, in the same order
 */
public record PartFile(String file, long rows, long deletions, Optional<String> results) {}
