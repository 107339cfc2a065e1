package dev.turno.web.security;

import dev.turno.web.tables.WebTables;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tokens of the namespace, stored as hashes. Shared by threads. */
public final class Tokens implements Credentials {

    public static final int LONGEST_NAME = 100;
    private static final int LONGEST_AFORES = 1_000;
    private static final int LONGEST_TOKEN = 4_096;
    private static final int RANDOM_BYTES = 32;
    private static final int REMEMBERED = 1_000;

    /** How long a token that was revoked elsewhere may still be believed here. */
    private static final long BELIEVED = Duration.ofSeconds(2).toNanos();

    /** A token as people see it. */
    public record TokenView(
            long id,
            String name,
            Role role,
            Set<String> afore,
            String createdBy,
            Instant createdAt,
            @Nullable Instant expiresAt,
            @Nullable Instant revokedAt) {}

    /** A token at its birth, the only time that it is shown. */
    public record NewToken(long id, String name, Role role, String token) {}

    private record Known(long id, Caller caller, long until) {}

    private final WebTables tables;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    public Tokens(WebTables tables) {
        this.tables = tables;
    }

    @Override
    public Optional<Caller> recognise(String presented) {
        if (presented.isEmpty() || presented.length() > LONGEST_TOKEN) {
            return Optional.empty();
        }
        String hash = hash(presented);
        Known remembered = known.get(hash);
        if (remembered != null && remembered.until() - System.nanoTime() > 0) {
            return Optional.of(remembered.caller());
        }
        Optional<Known> found = find(hash);
        if (known.size() >= REMEMBERED) {
            known.clear();
        }
        found.ifPresentOrElse(one -> known.put(hash, one), () -> known.remove(hash));
        return found.map(Known::caller);
    }

    /** True if it was recognised a moment ago: such a caller is let in while its address is locked out. */
    boolean isRemembered(String presented) {
        Known remembered = known.get(hash(presented));
        return remembered != null && remembered.until() - System.nanoTime() > 0;
    }

    private Optional<Known> find(String hash) {
        return tables
                .sql("token-by-hash")
                .param("hash", hash)
                .query((row, index) -> new Found(
                        row.getString("hash"),
                        new Known(
                                row.getLong("id"),
                                new Caller(
                                        row.getString("name"),
                                        Role.of(row.getString("role")),
                                        afores(row.getString("afore"))),
                                System.nanoTime() + BELIEVED)))
                .list()
                .stream()
                .filter(found -> isSame(found.hash(), hash))
                .map(Found::known)
                .findFirst();
    }

    private record Found(String hash, Known known) {}

    /** In constant time, whatever the database's own comparison did. */
    private static boolean isSame(String a, String b) {
        return MessageDigest.isEqual(a.getBytes(StandardCharsets.US_ASCII), b.getBytes(StandardCharsets.US_ASCII));
    }

    /** Makes a token; the answer is the only place where it ever stands. */
    public NewToken create(String name, Role role, Collection<String> afore, Optional<Duration> expiresIn, String by) {
        String token = "turno_" + randomText();
        return new NewToken(add(token, name, role, afore, expiresIn, false, by), name, role, token);
    }

    /** A token of a sign-in: with the caller's own rights, for a while. */
    String createSession(Caller caller, Duration expiresIn) {
        tables.sql("token-prune").update();
        String token = "turno_session_" + randomText();
        long unused =
                add(token, caller.name(), caller.role(), caller.afores(), Optional.of(expiresIn), true, caller.name());
        return token;
    }

    /** Stores a token that somebody chose; false if it was stored before. */
    boolean accept(String token, String name, Role role) {
        if (tables.sql("token-exists")
                        .param("hash", hash(token))
                        .query(Long.class)
                        .single()
                > 0) {
            return false;
        }
        long unused = add(token, name, role, Set.of(), Optional.empty(), false, "start-up");
        return true;
    }

    boolean hasAdmin() {
        return tables.sql("token-admins").query(Long.class).single() > 0;
    }

    private long add(
            String token,
            String name,
            Role role,
            Collection<String> afore,
            Optional<Duration> expiresIn,
            boolean session,
            String by) {
        String keys = String.join(",", new TreeSet<>(afore));
        requireUsable(name, role, afore, keys);
        var statement = tables.sql(expiresIn.isPresent() ? "token-add-expiring" : "token-add")
                .param("name", name)
                .param("role", role.text())
                .param("afore", keys)
                .param("hash", hash(token))
                .param("session", session)
                .param("created_by", by);
        expiresIn.ifPresent(time -> statement.param("seconds", time.toSeconds()));
        return WebTables.insert(statement);
    }

    private static void requireUsable(String name, Role role, Collection<String> afore, String keys) {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("The name of a token has " + name.length() + " characters; use 1 to "
                    + LONGEST_NAME + ", not all blank.");
        }
        if ((role == Role.CALLER) == afore.isEmpty()) {
            throw new IllegalArgumentException(
                    "A token of role caller names at least one 'afore', and no other token names any.");
        }
        if (keys.length() > LONGEST_AFORES || afore.stream().anyMatch(key -> !key.matches("[A-Za-z0-9_-]{1,50}"))) {
            throw new IllegalArgumentException("An 'afore' has 1 to 50 letters, digits, dashes and underscores; all"
                    + " together have at most " + LONGEST_AFORES + " characters.");
        }
    }

    public List<TokenView> list(long after, int limit) {
        return tables.sql("token-list")
                .param("after", after)
                .param("limit", limit)
                .query((row, index) -> new TokenView(
                        row.getLong("id"),
                        row.getString("name"),
                        Role.of(row.getString("role")),
                        afores(row.getString("afore")),
                        row.getString("created_by"),
                        Instant.EPOCH.plusNanos(row.getLong("created_us") * 1_000),
                        WebTables.instant(row.getObject("expires_us", Long.class)),
                        WebTables.instant(row.getObject("revoked_us", Long.class))))
                .list();
    }

    /** Nobody gets in with it any more, here at once, in other processes after two seconds; false if there is no such token. */
    public boolean revoke(long id) {
        boolean revoked = tables.sql("token-revoke").param("id", id).update() == 1;
        known.values().removeIf(one -> one.id() == id);
        return revoked;
    }

    void revoke(String token) {
        find(hash(token)).ifPresent(one -> revoke(one.id()));
    }

    private String randomText() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static Set<String> afores(String text) {
        return Arrays.stream(text.split(",", -1)).filter(key -> !key.isEmpty()).collect(Collectors.toUnmodifiableSet());
    }

    /** A plain hash is enough: a token is 256 random bits, not a word that somebody could guess. */
    private static String hash(String token) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
