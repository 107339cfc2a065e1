package dev.turno.certification.http;

import jakarta.servlet.http.HttpServletRequest;

/** Who may certify for whom. */
@FunctionalInterface
public interface CallerRights {

    /** Whether the sender of this request may act for the AFORE of this key. */
    boolean mayCertifyFor(HttpServletRequest request, String afore);
}
