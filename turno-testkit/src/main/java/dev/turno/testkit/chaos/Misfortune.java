package dev.turno.testkit.chaos;

import java.time.Duration;

/**
 * One fault of a schedule.
 *
 * @param victim which process
 * @param length how long it lasts
 * @param pause how long it is quiet afterwards
 * @param hours by how much the clock is wrong, if it is
 */
record Misfortune(Fault fault, int victim, Duration length, Duration pause, int hours) {}
