package dev.turno.web.security;

import dev.turno.lock.LockTerms;
import dev.turno.lock.Locks;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it at start-up that somebody has a key, and that nobody else can come near the door. */
public final class FirstToken {

    private static final Logger LOG = LoggerFactory.getLogger(FirstToken.class);
    private static final int SHORTEST_CHOSEN = 16;
    private static final Duration LEASE = Duration.ofSeconds(10);

    private FirstToken() {}

    /**
     * @param chosen the token of {@code TURNO_ADMIN_TOKEN}
     * @return the random token if one had to be made, to be shown once
     * @throws IllegalStateException if the server would be reachable from outside and nobody has a credential
     */
    public static Optional<String> prepare(Tokens tokens, Locks locks, Optional<String> chosen, InetAddress address) {
        // Longer than the lease: a server that died while it held the lock is waited for.
        LockTerms terms = LockTerms.of(t -> t.lease(LEASE).waitUpTo(LEASE.multipliedBy(2)));
        return locks.whileHolding("turno-first-token", terms, lease -> prepare(tokens, chosen, address))
                .<Optional<String>>fold(
                        ran -> ran.value(),
                        busy -> {
                            throw new IllegalStateException(
                                    "The first token could not be looked after: " + busy.holder()
                                            + " has been at it since before, until " + busy.until()
                                            + ". The server was not started; start it again.");
                        },
                        lost -> lost.value()
                                .orElseThrow(() -> new IllegalStateException(
                                        "The first token could not be looked after: the lock for it was lost to "
                                                + lost.newHolder() + ". The server was not started; start it again.")),
                        away -> {
                            throw new IllegalStateException("The tokens could not be read at start-up: " + away.why());
                        });
    }

    private static Optional<String> prepare(Tokens tokens, Optional<String> chosen, InetAddress address) {
        if (chosen.isPresent()) {
            accept(tokens, chosen.get());
            return Optional.empty();
        }
        if (tokens.hasAdmin()) {
            return Optional.empty();
        }
        if (!address.isLoopbackAddress()) {
            throw new IllegalStateException("The server would listen on " + address.getHostAddress()
                    + ", but nobody has a credential yet. It was not started. Set TURNO_ADMIN_TOKEN to a long random text,"
                    + " or start once on 127.0.0.1 and keep the token that is shown.");
        }
        return Optional.of(tokens.create("admin", Role.ADMIN, Set.of(), Optional.empty(), "start-up")
                .token());
    }

    private static void accept(Tokens tokens, String chosen) {
        if (chosen.length() < SHORTEST_CHOSEN) {
            throw new IllegalStateException("TURNO_ADMIN_TOKEN has " + chosen.length() + " characters; use at least "
                    + SHORTEST_CHOSEN + ", random ones. The server was not started.");
        }
        boolean unused = tokens.accept(chosen, "TURNO_ADMIN_TOKEN", Role.ADMIN);
        if (tokens.recognise(chosen).filter(one -> one.role() == Role.ADMIN).isEmpty()) {
            LOG.warn(
                    "Nobody is an admin with TURNO_ADMIN_TOKEN: it was revoked, or is another's. Set it to a new random text.");
        }
    }
}
