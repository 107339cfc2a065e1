package dev.turno.web.security;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Whoever sent a request that passed the filter. Controllers may take it as a parameter.
 *
 * @param name of the token, for the audit
 * @param afores the keys that a caller may certify for
 * @param until when the credential ends by what it says itself; empty: it does not say
 */
public record Caller(String name, Role role, Set<String> afores, Optional<Instant> until) {

    static final String ATTRIBUTE = Caller.class.getName();
    static final String GOOD = ATTRIBUTE + ".good";

    public Caller {
        afores = Set.copyOf(afores);
    }

    public Caller(String name, Role role, Set<String> afores) {
        this(name, role, afores, Optional.empty());
    }

    /**
     * @throws IllegalStateException if the request came by a route that is open to all
     */
    public static Caller of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof Caller caller) {
            return caller;
        }
        throw new IllegalStateException("Nobody signed this request: its route is open to all.");
    }

    /** Asks again whether the request's credential is good, for answers that go on for long; as often as wished, it is remembered. */
    public static BooleanSupplier isStillGood(HttpServletRequest request) {
        return request.getAttribute(GOOD) instanceof BooleanSupplier asked ? asked : () -> true;
    }

    /** True if it may certify for this AFORE. */
    public boolean mayCertifyFor(String afore) {
        return role == Role.ADMIN || (role == Role.CALLER && afores.contains(afore));
    }
}
