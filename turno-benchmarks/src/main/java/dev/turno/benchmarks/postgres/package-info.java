/** The one PostgreSQL server that all contestants share, what it says about itself, and Turno's own statements as text. */
@NullMarked
package dev.turno.benchmarks.postgres;

import org.jspecify.annotations.NullMarked;
