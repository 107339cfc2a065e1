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
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tokens of the namespace, stored as hashes. Shared by threads. */
public final class Tokens implements Credentials {

    public static final int LONGEST_NAME = 80;
    private static final String SESSION = "turno_session_";
    private static final int LONGEST_AFORES = 1_000;
    private static final int LONGEST_TOKEN = 4_096;
    private static final int RANDOM_BYTES = 32;
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(3_650);
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

    /** {@code root}: the token itself, or for a session the one that its person signed in with. */
    private record Known(long id, long root, Caller caller, long until) {}

    private final WebTables tables;
    private final LongSupplier nanos;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    public Tokens(WebTables tables) {
        this(tables, System::nanoTime);
    }

    Tokens(WebTables tables, LongSupplier nanos) {
        this.tables = tables;
        this.nanos = nanos;
    }

    @Override
    public Optional<Caller> recognise(String presented) {
        if (presented.isEmpty() || presented.length() > LONGEST_TOKEN) {
            return Optional.empty();
        }
        String hash = hash(presented);
        Known remembered = known.get(hash);
        if (remembered != null && remembered.until() - nanos.getAsLong() > 0) {
            return Optional.of(remembered.caller());
        }
        Optional<Known> found = find(hash);
        if (known.size() >= REMEMBERED) {
            known.clear();
        }
        found.ifPresentOrElse(one -> known.put(hash, one), () -> known.remove(hash));
        return found.map(Known::caller);
    }

    private Optional<Known> find(String hash) {
        return tables
                .sql("token-by-hash")
                .param("hash", hash)
                .query((row, index) -> new Found(
                        row.getString("hash"),
                        new Known(
                                row.getLong("id"),
                                Optional.ofNullable(row.getObject("parent_id", Long.class))
                                        .orElse(row.getLong("id")),
                                new Caller(
                                        row.getString("name"),
                                        Role.of(row.getString("role")),
                                        afores(row.getString("afore"))),
                                nanos.getAsLong() + BELIEVED)))
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

    /** What a token is to be. */
    private record Wish(
            String name, Role role, Collection<String> afore, Optional<Duration> expiresIn, String createdBy) {

        String keys() {
            return String.join(",", new TreeSet<>(afore));
        }
    }

    /** Makes a token; the answer is the only place where it ever stands. */
    public NewToken create(String name, Role role, Collection<String> afore, Optional<Duration> expiresIn, String by) {
        String token = "turno_" + randomText();
        Wish wish = new Wish(name, role, afore, expiresIn, by);
        requireUsable(wish);
        return new NewToken(add(token, wish, false, null), name, role, token);
    }

    static boolean isSession(String presented) {
        return presented.startsWith(SESSION);
    }

    /** A token of a sign-in with {@code presented}: with the caller's own rights, for a while, and no longer than that is good. */
    String createSession(Caller caller, String presented, Duration expiresIn) {
        tables.prune("token-prune", Map.of());
        String token = SESSION + randomText();
        Wish wish = new Wish(caller.name(), caller.role(), caller.afores(), Optional.of(expiresIn), caller.name());
        @Nullable Long parent = find(hash(presented)).map(Known::root).orElse(null);
        long unused = add(token, wish, true, parent);
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
        long unused = add(token, new Wish(name, role, Set.of(), Optional.empty(), "start-up"), false, null);
        return true;
    }

    boolean hasAdmin() {
        return tables.sql("token-admins").query(Long.class).single() > 0;
    }

    private long add(String token, Wish wish, boolean session, @Nullable Long parent) {
        var statement = tables.sql(wish.expiresIn().isPresent() ? "token-add-expiring" : "token-add")
                .param("name", wish.name())
                .param("role", wish.role().text())
                .param("afore", wish.keys())
                .param("hash", hash(token))
                .param("session", session)
                .param("parent_id", parent)
                .param("created_by", wish.createdBy());
        wish.expiresIn().ifPresent(time -> statement.param("seconds", time.toSeconds()));
        return WebTables.insert(statement);
    }

    private static void requireUsable(Wish wish) {
        String name = wish.name();
        if (name.isBlank() || name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("The name of a token has " + name.length() + " characters; use 1 to "
                    + LONGEST_NAME + " on one line, not all blank.");
        }
        if (wish.expiresIn()
                .filter(time -> time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0)
                .isPresent()) {
            throw new IllegalArgumentException(
                    "'expiresIn' is a second to 3650 days; leave it out for a token that does not expire.");
        }
        if ((wish.role() == Role.CALLER) == wish.afore().isEmpty()) {
            throw new IllegalArgumentException(
                    "A token of role caller names at least one 'afore', and no other token names any.");
        }
        if (wish.keys().length() > LONGEST_AFORES
                || wish.afore().stream().anyMatch(key -> !key.matches("[A-Za-z0-9_-]{1,50}"))) {
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

    /**
     * Nobody gets in with it any more, nor with a session that was begun with it: here at once, in other processes after two
     * seconds. False if there is no such token.
     */
    public boolean revoke(long id) {
        boolean revoked = tables.sql("token-revoke").param("id", id).update() == 1;
        known.values().removeIf(one -> one.id() == id || one.root() == id);
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
