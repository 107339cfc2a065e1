package dev.turno.harvester.oai;

import dev.turno.harvester.record.OaiRecord;
import java.nio.charset.StandardCharsets;

/** Takes the records of one page as they are read. Used by one thread. */
public interface RecordSink {

    /** The page is read from its beginning; what came before is void. Called again if it has to be repaired. */
    void begin();

    void record(OaiRecord record);

    /**
     * The same for whoever wants bytes, without the detour over a text.
     *
     * @param head the record without its XML
     * @param xml its XML in UTF-8, from the first byte to that of {@code size}; good until this returns
     */
    default void record(OaiRecord head, byte[] xml, int size) {
        record(head.with(new String(xml, 0, size, StandardCharsets.UTF_8)));
    }

    /**
     * One record cannot be used.
     *
     * @param identifier as far as it is known, else empty
     * @param raw what came, as text
     */
    void quarantine(String identifier, String why, String raw);
}
