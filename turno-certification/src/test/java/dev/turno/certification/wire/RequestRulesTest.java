package dev.turno.certification.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.certification.authority.SampleWorkers;
import dev.turno.certification.wire.RequestRules.Checked;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestRulesTest {

    private static boolean strict(String afore) {
        return afore.isEmpty();
    }

    private static Checked check(Map<String, String> fields, Predicate<String> warnedOnly) {
        return new RequestRules((catalog, code) -> !code.equals("99"), warnedOnly)
                .check(new RequestReader.Read(fields, List.of()));
    }

    private static List<String> wrong(String field, String value) {
        Map<String, String> fields = SampleWorkers.request(1, "F-1", "530");
        fields.put(field, value);
        return check(fields, RequestRulesTest::strict) instanceof Checked.Bad bad
                ? bad.errors().stream().map(FieldError::field).toList()
                : List.of();
    }

    @Test
    void all_sample_people_can_ask() {
        for (int number = 0; number < 1_000; number++) {
            assertThat(check(SampleWorkers.request(number, "F-" + number, "530"), RequestRulesTest::strict))
                    .isInstanceOf(Checked.Good.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "folioTramiteProcesar",
                "nss",
                "curp",
                "nombreTrabajador",
                "apellidoPaterno",
                "tipoPrestacion",
                "claveAdminActual",
                "origen",
                "idSolicitante",
                "curpSolicitante",
                "selloTrabajador",
                "curpAgenteServicio",
                "indicadorOrigenTramite"
            })
    void a_field_that_is_required_is_missed(String field) {
        assertThat(wrong(field, "")).containsExactly(field);
    }

    @ParameterizedTest
    @CsvSource({
        "folioTramiteProcesar, F_1",
        "folioTramiteProcesar, A123456789012345678901234567890",
        "nss, 1234567890",
        "nss, 1234567890A",
        "nss, 12345678904",
        "curp, XXAA990230HDFBBB01",
        "nombreTrabajador, R2D2",
        "apellidoPaterno, AAAAAAAAAABBBBBBBBBBCCCCCCCCCCDDDDDDDDDDE",
        "apellidoMaterno, <script>",
        "tipoPrestacion, 6",
        "tipoPrestacion, 99",
        "claveAdminActual, 53",
        "origen, -1",
        "origen, 1.5",
        "idSolicitante, 1",
        "selloTrabajador, 9223372036854775809",
        "selloTrabajador, -1",
        "indicadorOrigenTramite, 1"
    })
    void a_field_with_a_wrong_value_is_told_by_its_name_and_never_by_its_value(String field, String value) {
        assertThat(wrong(field, value)).containsExactly(field);
        Map<String, String> fields = SampleWorkers.request(1, "F-1", "530");
        fields.put(field, value);
        assertThat(((Checked.Bad) check(fields, RequestRulesTest::strict))
                        .errors()
                        .toString())
                .doesNotContain(fields.getOrDefault("curp", ""));
    }

    @Test
    void only_the_worker_himself_needs_a_seal() {
        Map<String, String> fields = SampleWorkers.request(1, "F-1", "530");
        fields.put("idSolicitante", "02");
        fields.put("selloTrabajador", "");

        assertThat(check(fields, RequestRulesTest::strict)).isInstanceOf(Checked.Good.class);
    }

    @Test
    void a_caller_who_is_only_warned_goes_on_with_a_wrong_check_digit_but_not_with_a_wrong_form() {
        Map<String, String> fields = SampleWorkers.request(1, "F-1", "530");
        String nss = fields.getOrDefault("nss", "");
        fields.put("nss", nss.substring(0, 10) + (char) ('0' + (nss.charAt(10) - '0' + 1) % 10));

        assertThat(check(fields, RequestRulesTest::strict)).isInstanceOf(Checked.Bad.class);
        Checked lenient = check(fields, "530"::equals);
        assertThat(lenient).isInstanceOf(Checked.Good.class);
        assertThat(((Checked.Good) lenient).warnings())
                .extracting(FieldError::field)
                .containsExactly("nss");
        fields.put("nss", "123");
        assertThat(check(fields, "530"::equals)).isInstanceOf(Checked.Bad.class);
    }

    @Test
    void check_digits_are_as_published() {
        assertThat(CheckDigits.hasRightNssDigit("12345678903")).isTrue();
        assertThat(CheckDigits.hasRightNssDigit("12345678901")).isFalse();
        assertThat(CheckDigits.isCurp("XXAA000229HDFBBBA1")).isTrue();
        assertThat(CheckDigits.isCurp("XXAA010229HDFBBBA1")).isFalse();
        assertThat(CheckDigits.isCurp("XXAA000229HDFBBB11"))
                .as("1900 was no leap year")
                .isFalse();
        assertThat(CheckDigits.isCurp("XXAA990101QDFBBB01")).isFalse();
        assertThat(CheckDigits.isCurp("XXAA990101HXXBBB01")).isFalse();
    }
}
