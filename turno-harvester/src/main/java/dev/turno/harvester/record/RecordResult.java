package dev.turno.harvester.record;

import java.util.Optional;

/**
 * What the rules made of one record.
 *
 * @param status VALID or INVALID
 * @param transformed the new XML; empty if nothing was changed
 * @param details for people, such as the rules that it broke; empty if there is nothing to say
 */
public record RecordResult(String identifier, RecordStatus status, Optional<String> transformed, String details) {

    public static final int LONGEST_DETAILS = 10_000;

    public RecordResult {
        if (status != RecordStatus.VALID && status != RecordStatus.INVALID) {
            throw new IllegalArgumentException("Record '" + identifier + "' was judged " + status
                    + "; a result is VALID or INVALID. A deleted record gets none.");
        }
        if (details.length() > LONGEST_DETAILS) {
            details = details.substring(0, LONGEST_DETAILS);
        }
    }
}
