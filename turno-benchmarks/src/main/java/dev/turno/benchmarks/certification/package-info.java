/**
 * The certification service beside the hand-made endpoint that it replaces.
 *
 * <p><b>Start at</b> {@link dev.turno.benchmarks.certification.CertificationRates}.
 */
@NullMarked
package dev.turno.benchmarks.certification;

import org.jspecify.annotations.NullMarked;
