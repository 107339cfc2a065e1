package dev.turno.harvester.rules;

/** A validator, compiled. Shared by threads. */
interface Check {

    Finding on(Draft draft);
}
