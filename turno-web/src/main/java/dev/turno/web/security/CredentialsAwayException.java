package dev.turno.web.security;

/** It cannot be told now whether a credential is good: answered with 503, and counted against nobody. */
public final class CredentialsAwayException extends RuntimeException {

    public CredentialsAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
