package dev.turno.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.turno.task.TaskOptions;
import java.time.Duration;
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

    @Test
    void the_bytes_of_a_burst_may_be_more_than_an_int_holds() {
        assertThat(TargetOptions.buffer(TargetOptions.ofApi(Map.of("maxBytes", 3_000_000_000L)))
                        .maxBytes())
                .isEqualTo(3_000_000_000L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TargetOptions.buffer(TargetOptions.ofApi(Map.of("maxBytes", "many"))))
                .withMessage("'max-bytes' is 'many'; use a number. Nothing was changed.");
    }

    @Test
    void how_long_a_buffer_knows_ids_and_what_of_tasks_is_in_memory_can_be_said() {
        assertThat(TargetOptions.buffer(TargetOptions.ofApi(Map.of("keepIds", "2d")))
                        .keepIds())
                .isEqualTo(Duration.ofDays(2));

        TaskOptions tasks = TargetOptions.task(TargetOptions.ofApi(Map.of("inMemory", 500, "memory", 3_000_000_000L)));

        assertThat(tasks.inMemory()).isEqualTo(500);
        assertThat(tasks.memory()).isEqualTo(3_000_000_000L);
    }
}
