package dev.turno.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TargetOptionsTest {

    @Test
    void words_come_as_an_array_or_with_commas_between_them() {
        assertThat(TargetOptions.buffer(TargetOptions.ofApi(Map.of("flushWords", List.of("Enviar", "ya"))))
                        .flushWords())
                .containsExactlyInAnyOrder("enviar", "ya");
        assertThat(TargetOptions.buffer(TargetOptions.ofApi(Map.of("flushWords", "Enviar, ya")))
                        .flushWords())
                .containsExactlyInAnyOrder("enviar", "ya");
    }
}
