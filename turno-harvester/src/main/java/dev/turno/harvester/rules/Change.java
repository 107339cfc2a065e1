package dev.turno.harvester.rules;

/** A transformer, compiled. Shared by threads. */
interface Change {

    void on(Draft draft);
}
