/** The one server that all contestants share, what it says about itself, and Turno's own statements as text. */
@NullMarked
package dev.turno.benchmarks.server;

import org.jspecify.annotations.NullMarked;
