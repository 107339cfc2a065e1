package dev.turno.buffer;

/** A buffer by name and by the number that its rows carry. */
record BufferName(String namespace, String buffer, long id) {

    @Override
    public String toString() {
        return namespace + "/" + buffer;
    }
}
