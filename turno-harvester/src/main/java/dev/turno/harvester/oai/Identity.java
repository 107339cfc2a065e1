package dev.turno.harvester.oai;

import java.time.Instant;
import java.util.List;

/**
 * What a source says about itself.
 *
 * @param responseDate its clock when it answered
 * @param deletedRecord what becomes of deletions: no, transient or persistent
 */
public record Identity(
        String repositoryName,
        String baseUrl,
        Granularity granularity,
        String deletedRecord,
        String earliestDatestamp,
        Instant responseDate,
        List<String> warnings) {

    public Identity {
        warnings = List.copyOf(warnings);
    }

    /** It remembers every deletion for good. */
    public boolean keepsDeletions() {
        return deletedRecord.equals("persistent");
    }
}
