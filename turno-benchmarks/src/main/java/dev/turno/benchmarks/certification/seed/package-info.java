/** The endpoint with its lock as the seed's document writes it: a JPA entity, SERIALIZABLE, save and read again. */
@NullMarked
package dev.turno.benchmarks.certification.seed;

import org.jspecify.annotations.NullMarked;
