package dev.turno.web.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Whoever sent a request that passed the filter. Controllers may take it as a parameter.
 *
 * @param name of the token, for the audit
 * @param afores the keys that a caller may certify for
 */
public record Caller(String name, Role role, Set<String> afores) {

    static final String ATTRIBUTE = Caller.class.getName();
    static final String GOOD = ATTRIBUTE + ".good";

    public Caller {
        afores = Set.copyOf(afores);
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
