/**
 * The certification service beside the endpoint as its seed writes it.
 *
 * <p><b>Start at</b> {@link dev.turno.benchmarks.certification.CertificationRates}.
 */
@NullMarked
package dev.turno.benchmarks.certification;

import org.jspecify.annotations.NullMarked;
