package dev.turno.run;

/** What became of a wish to stop a run. */
public enum StopOutcome {
    /** It is under way and will stop at its next item, within a second or so; the page it is in will not be stored. */
    STOPPING,
    /** It was waiting and is STOPPED. */
    STOPPED,
    /** It has ended already. */
    OVER,
    UNKNOWN
}
