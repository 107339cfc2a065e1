package dev.turno.harvester.oai;

import dev.turno.harvester.record.OaiRecord;

/** Takes the records of one page as they are read. Used by one thread. */
public interface RecordSink {

    /** The page is read from its beginning; what came before is void. Called again if it has to be repaired. */
    void begin();

    void record(OaiRecord record);

    /**
     * One record cannot be used.
     *
     * @param identifier as far as it is known, else empty
     * @param raw what came, as text
     */
    void quarantine(String identifier, String why, String raw);
}
