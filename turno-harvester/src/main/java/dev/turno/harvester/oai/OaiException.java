package dev.turno.harvester.oai;

import java.time.Duration;

/** The source did not give what it was asked for. The message says what it did instead. */
public final class OaiException extends Exception {

    /** What can be done about it. */
    public enum Kind {
        /** The source asked to come back later: see {@link OaiException#in()}. */
        LATER,
        /** It may be over by itself: a timeout, a server that is overloaded, a maintenance page. */
        PASSING,
        /** Somebody has to change something: a wrong address, a refused format. */
        LASTING,
        /** The caller asked to stop while it waited. */
        STOPPED
    }

    private final Kind kind;
    private final Duration in;
    private final int status;

    public OaiException(Kind kind, String message, Duration in) {
        this(kind, message, in, 0);
    }

    private OaiException(Kind kind, String message, Duration in, int status) {
        super(message);
        this.kind = kind;
        this.in = in;
        this.status = status;
    }

    static OaiException later(Duration in, String message) {
        return new OaiException(Kind.LATER, message, in);
    }

    static OaiException passing(String message) {
        return new OaiException(Kind.PASSING, message, Duration.ZERO);
    }

    static OaiException lasting(String message) {
        return new OaiException(Kind.LASTING, message, Duration.ZERO);
    }

    static OaiException refused(int status) {
        return new OaiException(Kind.LASTING, "The source answered with status " + status + ".", Duration.ZERO, status);
    }

    static OaiException stopped() {
        return new OaiException(Kind.STOPPED, "Asked to stop while waiting for the source.", Duration.ZERO);
    }

    /** The same, said with more words. */
    OaiException saying(String message) {
        return new OaiException(kind, message, in, status);
    }

    public Kind kind() {
        return kind;
    }

    /** By HTTP, before anything of the protocol was said: there is no such page, or it is not for us. */
    public boolean isRefusedByHttp() {
        return status >= 400 && status < 500;
    }

    /** How long the source wishes to be left alone. */
    public Duration in() {
        return in;
    }
}
