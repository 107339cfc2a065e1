package dev.turno.harvester.bitstream;

/** The states of a file. */
public enum BitstreamState {
    NEW,
    DOWNLOADED,
    /** It could not be had; the error says why. */
    FAILED,
    /** Its text was read. */
    READ,
    /** It is there, but has no text that can be read. */
    NO_TEXT
}
