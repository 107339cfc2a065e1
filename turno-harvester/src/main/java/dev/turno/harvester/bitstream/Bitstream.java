package dev.turno.harvester.bitstream;

import java.util.Optional;

/** A file of a record. {@code recordHash}: the id of the record's document. */
public record Bitstream(
        long id,
        long network,
        String recordHash,
        String identifier,
        String url,
        BitstreamState state,
        Optional<String> mediaType,
        Optional<String> sha256) {}
