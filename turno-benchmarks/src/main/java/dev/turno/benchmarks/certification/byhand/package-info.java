/** The endpoint with a lock made by hand: a JPA entity, SERIALIZABLE, save and read again. */
@NullMarked
package dev.turno.benchmarks.certification.byhand;

import org.jspecify.annotations.NullMarked;
