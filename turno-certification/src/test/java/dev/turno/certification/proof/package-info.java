/** Proofs with real processes, over HTTP. */
@org.jspecify.annotations.NullMarked
package dev.turno.certification.proof;
