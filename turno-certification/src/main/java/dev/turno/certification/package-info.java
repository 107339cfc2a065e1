/** The certification service for AFORE requests. */
@NullMarked
package dev.turno.certification;

import org.jspecify.annotations.NullMarked;
