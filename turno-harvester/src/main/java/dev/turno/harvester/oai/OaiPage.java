package dev.turno.harvester.oai;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one answer said, besides its records.
 *
 * @param responseDate the source's clock; empty if it was left out or cannot be read
 * @param token where the next page begins; empty at the end
 * @param listSize how many records there are in all, if the source tells
 * @param warnings what was wrong with it and did no harm
 * @param raw the page as it came, if something of it had to be repaired or left out
 */
public record OaiPage(
        Optional<Instant> responseDate,
        Optional<OaiError> error,
        Optional<String> token,
        Optional<Long> listSize,
        List<String> warnings,
        Optional<byte[]> raw) {

    public OaiPage {
        warnings = List.copyOf(warnings);
    }

    public boolean hasError(String code) {
        return error.filter(known -> known.code().equals(code)).isPresent();
    }
}
