package dev.turno.web.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.TurnoOptions.SchemaMode;
import dev.turno.lock.Lease;
import dev.turno.lock.TakeOutcome;
import dev.turno.testkit.database.OnEveryDatabase;
import dev.turno.testkit.database.TestDatabase;
import dev.turno.web.ApiServer;
import dev.turno.web.tables.WebTables;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first start of a server, again and again: each test in a namespace of its own. */
@Tag("security")
@OnEveryDatabase
@Timeout(60)
class FirstTokenTest {

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final Optional<String> CHOSEN = Optional.of("a-token-that-somebody-chose");

    private final DataSource source;
    private final String namespace = "n" + UUID.randomUUID().toString().replace("-", "");
    private final List<Turno> started = new CopyOnWriteArrayList<>();
    private final Tokens tokens;

    FirstTokenTest(TestDatabase kind) {
        this.source = ApiServer.on(kind).dataSource();
        this.tokens = tokens();
    }

    @AfterEach
    void close() {
        started.forEach(Turno::close);
    }

    private Tokens tokens() {
        return new Tokens(WebTables.open(source, namespace, SchemaMode.NONE));
    }

    private Turno turno() {
        Turno turno = Turno.open(
                source, TurnoOptions.defaults().withNamespace(namespace).withSchema(SchemaMode.NONE));
        started.add(turno);
        return turno;
    }

    /** What a server shows that starts now. */
    private Optional<String> start(Optional<String> chosen, InetAddress address) {
        return FirstToken.prepare(tokens(), turno().locks(), chosen, address);
    }

    private static InetAddress everywhere() throws UnknownHostException {
        return InetAddress.getByName("0.0.0.0");
    }

    private Optional<Role> role(String token) {
        return tokens().recognise(token).map(Caller::role);
    }

    @Test
    void the_first_start_makes_an_admin_token_and_the_next_none() {
        Optional<String> first = start(Optional.empty(), HERE);
        Optional<String> second = start(Optional.empty(), HERE);

        assertThat(first.flatMap(this::role)).contains(Role.ADMIN);
        assertThat(second).isEmpty();
        assertThat(first.orElseThrow()).hasSizeGreaterThan(40);
    }

    @Test
    void a_chosen_token_is_taken_instead_of_a_random_one_and_stored_once() {
        assertThat(start(CHOSEN, HERE)).isEmpty();
        assertThat(start(CHOSEN, HERE)).isEmpty();

        assertThat(role(CHOSEN.orElseThrow())).contains(Role.ADMIN);
        assertThat(tokens.list(0, 10)).hasSize(1);
        assertThat(start(Optional.empty(), HERE)).as("somebody has a key").isEmpty();
    }

    @Test
    void a_chosen_token_that_was_revoked_stays_so() {
        start(CHOSEN, HERE);
        tokens.revoke(tokens.list(0, 10).get(0).id());

        start(CHOSEN, HERE);

        assertThat(role(CHOSEN.orElseThrow())).isEmpty();
        assertThat(start(Optional.empty(), HERE).flatMap(this::role))
                .as("nobody has a key: another is made")
                .contains(Role.ADMIN);
    }

    @Test
    void a_chosen_token_that_can_be_guessed_is_refused() {
        assertThatThrownBy(() -> start(Optional.of("x".repeat(15)), HERE))
                .hasMessageContaining("at least 16")
                .hasMessageContaining("not started");
        assertThat(tokens.list(0, 10)).isEmpty();
    }

    @Test
    void another_address_is_refused_until_somebody_has_a_key() throws Exception {
        assertThatThrownBy(() -> start(Optional.empty(), everywhere()))
                .hasMessageContaining("0.0.0.0")
                .hasMessageContaining("TURNO_ADMIN_TOKEN");
        tokens.create("viewer", Role.VIEWER, Set.of(), Optional.empty(), "test");
        assertThatThrownBy(() -> start(Optional.empty(), everywhere())).hasMessageContaining("not started");

        assertThat(start(CHOSEN, everywhere())).isEmpty();
        assertThat(start(Optional.empty(), everywhere())).isEmpty();
    }

    @Test
    void of_servers_that_start_together_one_makes_the_token_and_the_others_wait_for_it() throws Exception {
        try (Lease first = ((TakeOutcome.Taken<Lease>) turno().locks().tryTake("turno-first-token")).lease()) {
            Future<Optional<String>> second = CompletableFuture.supplyAsync(() -> start(Optional.empty(), HERE));
            assertThatThrownBy(() -> second.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);

            tokens.create("admin", Role.ADMIN, Set.of(), Optional.empty(), "the first");
            first.close();

            assertThat(second.get(20, TimeUnit.SECONDS)).isEmpty();
            assertThat(tokens.list(0, 10)).hasSize(1);
        }
    }
}
