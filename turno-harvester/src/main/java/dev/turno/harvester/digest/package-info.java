/**
 * Short names for long texts, the same on every computer and in every version: they are stored.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.digest.Sha256}.
 */
@NullMarked
package dev.turno.harvester.digest;

import org.jspecify.annotations.NullMarked;
