package dev.turno.harvester.bitstream;

/** The states of a file. */
public enum BitstreamState {
    /** Not there yet; if it was tried, the error says why it broke off. */
    NEW,
    DOWNLOADED,
    /** It was refused, and would be again; the error says why. */
    FAILED,
    /** Its text was read. */
    READ,
    /** It is there, but has no text that can be read. */
    NO_TEXT
}
