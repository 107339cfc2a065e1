/** Tests of this room. */
@org.jspecify.annotations.NullMarked
package dev.turno.certification.intake;
