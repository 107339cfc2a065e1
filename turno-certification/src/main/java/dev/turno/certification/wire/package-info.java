/**
 * The wire contract: what callers send and get, letter by letter.
 *
 * <p><b>What for:</b> the one room with Spanish names. It reads bytes into checked requests, computes the fingerprint by which the
 * same content is recognised however it was spelt, and writes answers.
 *
 * <p><b>Start at</b> {@link dev.turno.certification.wire.RequestReader}. <b>Promises:</b> a number never passes through a double; an
 * error names a field and never its value; nothing here prints personal data.
 */
@NullMarked
package dev.turno.certification.wire;

import org.jspecify.annotations.NullMarked;
