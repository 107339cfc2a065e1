package dev.turno.harvester.bitstream;

import java.util.EnumSet;
import java.util.Set;

/** The states of a file and the arrows between them. */
public enum BitstreamState {
    NEW,
    DOWNLOADED,
    /** It could not be had; the error says why. */
    FAILED,
    /** Its text was read. */
    READ,
    /** It is there, but has no text that can be read. */
    NO_TEXT;

    public Set<BitstreamState> next() {
        return switch (this) {
            case NEW -> EnumSet.of(DOWNLOADED, FAILED);
            case DOWNLOADED -> EnumSet.of(READ, NO_TEXT);
            case FAILED, READ, NO_TEXT -> EnumSet.noneOf(BitstreamState.class);
        };
    }
}
