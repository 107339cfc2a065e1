package dev.turno.harvester.rules;

import java.time.Instant;
import java.util.List;

/** Where a record comes from, for the rules that write that down. */
public record Origin(
        String networkAcronym,
        String networkName,
        String institutionAcronym,
        String institutionName,
        String originUrl,
        String metadataPrefix,
        Instant datestamp,
        List<String> sets) {

    public Origin {
        sets = List.copyOf(sets);
    }
}
