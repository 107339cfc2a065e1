/** Records harvested over loopback and stored, beside a client that stores nothing and a loop that forgets where it was. */
@NullMarked
package dev.turno.benchmarks.harvest;

import org.jspecify.annotations.NullMarked;
