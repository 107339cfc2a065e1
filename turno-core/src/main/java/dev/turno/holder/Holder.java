package dev.turno.holder;

import java.time.Instant;
import java.util.Optional;

/** A process as the others see it. {@code lapsed}: its lease has passed; {@code reapedAt}: it was declared dead. */
public record Holder(
        String id, String node, Instant startedAt, Instant leaseUntil, boolean lapsed, Optional<Instant> reapedAt) {

    /** It ended by itself, and nobody had to declare it dead: then its lease ends at the same moment. */
    public boolean hasLeft() {
        return reapedAt.equals(Optional.of(leaseUntil));
    }
}
