/**
 * The promises shown with real processes that are killed and frozen, real servers that are restarted, and ledgers that do not
 * trust the product: each test prints its figures in a line that begins with {@code PROOF}.
 *
 * <p>{@code -Dturno.scale=full} runs them at full length; by default they are short. {@link dev.turno.proof.ProofNode} is the
 * application whose instances suffer, {@link dev.turno.proof.Stage} is where.
 */
@NullMarked
package dev.turno.proof;

import org.jspecify.annotations.NullMarked;
