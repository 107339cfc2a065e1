package dev.turno.inbox;

import dev.turno.claim.Claim;
import java.util.Optional;

/**
 * A message and the claim on it, for those who know it by its id.
 *
 * @param claim with the newest fence of the message, whoever has or had it
 * @param node who has it, or had it last, while that holder is remembered
 */
public record ClaimedMessage(String id, Claim claim, InboxState state, int attempt, Optional<String> node) {}
