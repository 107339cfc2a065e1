package dev.turno.inbox;

import dev.turno.claim.Claim;
import java.util.Optional;

/**
 * A message and the claim on it, for those who know it by its id.
 *
 * @param claim with the newest fence of the message, whoever has or had it
 * @param key as that of {@link dev.turno.claim.Taken}
 * @param node who has it, or had it last, while that holder is remembered
 */
public record ClaimedMessage(
        String id, Claim claim, String key, InboxState state, int attempt, Optional<String> node) {}
