package dev.turno.certification.authority;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpAuthorityTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "validator:8080/certify",
                "ftp://validator/certify",
                "http:///certify",
                "/certify",
                "http://validator/certify?key=1",
                "http://validator/certify#here"
            })
    void a_url_that_cannot_be_called_is_refused_before_anything_is_sent_there(URI url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HttpAuthority(url, TIMEOUT))
                .withMessageContaining("turno.certification.authority.url");
    }

    @Test
    void a_timeout_in_which_nobody_can_answer_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HttpAuthority(URI.create("http://validator/certify"), Duration.ZERO))
                .withMessageContaining("turno.certification.authority.timeout");
    }
}
