package dev.turno.buffer;

/** The messages of a burst: those of a key's row after {@code from}, up to {@code to}. No number is ever missing or used again. */
record Range(long header, long from, long to) {

    long size() {
        return to - from;
    }

    /** The burst's key for the gateway: the row's number is never given to another key, and no two bursts of it end alike. */
    String handedOverAs(BufferName name, String key) {
        return name + "/" + key + "#" + header + "-" + to;
    }
}
