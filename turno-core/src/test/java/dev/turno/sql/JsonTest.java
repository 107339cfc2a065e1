package dev.turno.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {

    @Test
    void texts_are_escaped_and_absent_values_are_null() {
        assertThat(Json.array(Arrays.asList(1L, null, "a\"b\\c\n", List.of(2L))))
                .isEqualTo("[1,null,\"a\\\"b\\\\c\\u000a\",[2]]");
    }
}
