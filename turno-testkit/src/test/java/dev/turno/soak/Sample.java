package dev.turno.soak;

/**
 * What was seen at one minute.
 *
 * @param heap bytes in use after a collection, all nodes together
 * @param threads of all nodes
 * @param connections of all nodes, as the database counts them
 * @param files descriptors that all nodes have open
 * @param tables bytes of Turno's tables with their indexes
 * @param dead versions of rows that nobody sees any more
 */
record Sample(long heap, long threads, long connections, long files, long tables, long dead) {}
