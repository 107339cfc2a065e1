package dev.turno.certification.intake;

import java.util.Optional;

/**
 * What a request is known by, all of it hashed with a key: names of locks and columns are seen by people who may not see an NSS.
 *
 * @param folioId of the AFORE, the operation and the folio; also the reference under which it is looked after
 * @param keyId of the AFORE, the operation and the Idempotency-Key
 * @param guard of the worker and the benefit: at most one is under way
 */
record Identity(String folioId, Optional<String> keyId, String guard, String fingerprint) {

    private static final String LOCK_PREFIX = "certification:";

    String lockName() {
        return lockName(guard);
    }

    static String lockName(String guard) {
        return LOCK_PREFIX + guard;
    }
}
