package dev.turno.inbox;

/** Turns values into bodies and back. Shared by threads. */
public interface Codec<T> {

    String write(T value) throws Exception;

    T read(String body) throws Exception;
}
