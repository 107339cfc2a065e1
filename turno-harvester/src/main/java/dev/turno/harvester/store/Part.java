package dev.turno.harvester.store;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A Parquet file that counts.
 *
 * @param newest the highest snapshot that any of its rows came from
 * @param results the file with what the rules said about its rows
 */
record Part(
        long id, long snapshot, int seq, Path file, long rows, long deletions, long newest, Optional<Path> results) {}
