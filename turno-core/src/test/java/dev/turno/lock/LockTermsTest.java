package dev.turno.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LockTermsTest {

    @Test
    void the_settings_of_old_have_their_place() {
        LockTerms terms = LockTerms.of(t -> t.lease(Duration.ofSeconds(30))
                .retries(3)
                .delay(Duration.ofMillis(500))
                .cleanUp(true)
                .cleanUpEvery(Duration.ofSeconds(300))
                .service("CERT_AFORE")
                .user("SYSTEM"));

        assertThat(terms.with(t -> t.retries(1)).service()).isEqualTo("CERT_AFORE");
        assertThat(terms.with(t -> {})).isEqualTo(terms);
    }

    @Test
    void a_term_out_of_its_bounds_is_named_with_its_value_and_the_bounds() {
        refused("lease", "PT0S", t -> t.lease(Duration.ZERO));
        refused("lease", "PT-1S", t -> t.lease(Duration.ofSeconds(-1)));
        refused("lease", "PT744H", t -> t.lease(Duration.ofDays(31)));
        refused("wait-up-to", "PT-1S", t -> t.waitUpTo(Duration.ofSeconds(-1)));
        refused("retries", "-1", t -> t.retries(-1));
        refused("delay", "PT-1S", t -> t.delay(Duration.ofSeconds(-1)));
        refused("service", "100 characters", t -> t.service("x".repeat(101)));
        refused("user", "50 characters", t -> t.user("x".repeat(51)));
        refused("user", "NUL", t -> t.user("a\0b"));
        refused("clean-up-every", "PT0S", t -> t.cleanUpEvery(Duration.ZERO));
        refused("keep", "PT0S", t -> t.keep(Duration.ZERO));
    }

    private static void refused(String term, String said, Consumer<LockTerms.Builder> choice) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockTerms.of(choice))
                .withMessageContaining("'" + term + "'")
                .withMessageContaining(said)
                .withMessageContaining("use ");
    }
}
