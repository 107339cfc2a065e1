package dev.turno.web.security;

import java.util.Optional;

/** Recognises what callers present. Contribute a bean of this type to accept other credentials beside Turno's own tokens. */
@FunctionalInterface
public interface Credentials {

    /** @throws CredentialsAwayException if it cannot be told now */
    Optional<Caller> recognise(String presented);
}
