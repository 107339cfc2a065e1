package dev.turno.harvester.oai;

import java.time.Instant;
import java.util.List;

/**
 * What a source says about itself.
 *
 * @param responseDate its clock when it answered, or this computer's, if they do not agree and that is earlier
 * @param clockAgreed whether its clock and this computer's are about the same
 * @param deletedRecord what becomes of deletions: no, transient or persistent
 */
public record Identity(
        String repositoryName,
        String baseUrl,
        Granularity granularity,
        String deletedRecord,
        String earliestDatestamp,
        Instant responseDate,
        boolean clockAgreed,
        List<String> warnings) {

    public Identity {
        warnings = List.copyOf(warnings);
    }

    /** It remembers every deletion for good. */
    public boolean keepsDeletions() {
        return deletedRecord.equals("persistent");
    }
}
