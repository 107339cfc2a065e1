package dev.turno.certification.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WireTest {

    private static String answer(String amount) {
        return "{\"resultadoOperacion\":\"01\",\"diagnosticoProcesar\":400,\"sbcTipoA\":" + amount + "}";
    }

    private static String read(String amount) {
        return Wire.readAnswer(answer(amount)).orElseThrow().field("sbcTipoA");
    }

    @Test
    void an_amount_that_a_validator_sends_as_a_number_keeps_its_digits() {
        assertThat(read("12345678.90")).isEqualTo("12345678.90");
        assertThat(read("0.10")).isEqualTo("0.10");
        assertThat(read("1E3")).isEqualTo("1000");
        assertThat(read("9223372036854775808")).isEqualTo("9223372036854775808");
        assertThat(read("\"1E3\"")).as("a text is itself").isEqualTo("1E3");
    }

    @Test
    void a_number_beyond_all_amounts_is_no_answer_of_the_contract() {
        assertThat(Wire.readAnswer(answer("1E999999999"))).isEmpty();
        assertThat(Wire.readAnswer(answer("1E-999999999"))).isEmpty();
    }
}
