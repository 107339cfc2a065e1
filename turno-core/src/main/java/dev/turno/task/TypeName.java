package dev.turno.task;

/** A type of task by name and by the number that its rows carry. */
record TypeName(String namespace, String type, long id) {

    @Override
    public String toString() {
        return namespace + "/" + type;
    }
}
