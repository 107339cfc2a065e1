package dev.turno.server.oidc;

import dev.turno.web.security.Tokens;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.jwt.Jwt;

/**
 * How a person of the provider is called here: {@code oidc:ana/SUBJECT}. The subject is what the provider never gives to anybody else, so
 * it tells who may give a lock back and whose entry of the audit it is. The name before it, which a provider lets people change and may
 * give twice, is there for whoever reads it. Neither part has a slash, so no two people can be called the same.
 */
final class PersonName {

    private static final String PREFIX = "oidc:";
    private static final Pattern USABLE_SUBJECT = Pattern.compile("[A-Za-z0-9._@|:=+-]{1,50}");
    private static final Pattern UNUSABLE = Pattern.compile("[^\\p{L}\\p{M}\\p{N}._@+-]");

    private PersonName() {}

    /** @throws IllegalArgumentException if the token does not tell whose it is */
    static String of(Jwt jwt) {
        String subject = jwt.getSubject();
        if (subject == null || subject.isBlank()) {
            throw new IllegalArgumentException("it has no 'sub', so nobody can tell whose it is");
        }
        String unique = USABLE_SUBJECT.matcher(subject).matches() ? subject : hash(subject);
        return PREFIX + shown(jwt, Tokens.LONGEST_NAME - PREFIX.length() - unique.length() - 1) + unique;
    }

    private static String shown(Jwt jwt, int longest) {
        @Nullable String given = jwt.getClaimAsString("preferred_username");
        if (given == null || given.isBlank()) {
            return "";
        }
        // Cut first: half of a pair that this leaves is replaced with all else that could forge or break a line.
        String cut = given.length() <= longest ? given : given.substring(0, longest);
        return UNUSABLE.matcher(cut).replaceAll("_") + "/";
    }

    /** For subjects that are too long, or have characters that do not fit into a name. No subject that fits begins like it. */
    private static String hash(String subject) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(subject.getBytes(StandardCharsets.UTF_8));
            return "~" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
