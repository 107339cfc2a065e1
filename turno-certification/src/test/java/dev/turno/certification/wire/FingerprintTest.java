package dev.turno.certification.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turno.certification.authority.SampleWorkers;
import dev.turno.certification.wire.RequestRules.Checked;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    private static final RequestReader READER = new RequestReader();
    private static final RequestRules RULES = new RequestRules((catalog, code) -> true, afore -> false);

    private static Map<String, String> fields() {
        Map<String, String> fields = SampleWorkers.request(3, "F-10", "530");
        fields.put("origen", "10");
        fields.put("apellidoMaterno", "");
        fields.put("apellidoPaterno", "ZAMPOÑA ÁLVAREZ");
        return fields;
    }

    private static String json(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> quoted(field.getKey()) + ":" + value(field.getKey(), field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String value(String name, String value) {
        boolean number = (name.equals("origen") || name.equals("selloTrabajador")) && !value.isEmpty();
        return number ? value : quoted(value);
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    private static Map<String, String> with(String field, String value) {
        Map<String, String> fields = fields();
        fields.put(field, value);
        return fields;
    }

    private static String fingerprint(String json) {
        Checked checked =
                RULES.check(READER.read(json.getBytes(StandardCharsets.UTF_8)).orElseThrow());
        assertThat(checked).as(json).isInstanceOf(Checked.Good.class);
        return ((Checked.Good) checked).request().fingerprint();
    }

    /** The same request, spelt in thirty ways. */
    private static List<String> spellings() {
        List<String> all = new ArrayList<>();
        String plain = json(fields());
        all.add(plain);
        for (int seed = 0; seed < 5; seed++) {
            List<String> order = new ArrayList<>(fields().keySet());
            Collections.shuffle(order, new Random(seed));
            Map<String, String> shuffled = new LinkedHashMap<>();
            order.forEach(name -> shuffled.put(name, fields().getOrDefault(name, "")));
            all.add(json(shuffled));
        }
        for (String name : List.of("curp", "nombreTrabajador", "apellidoPaterno", "curpAgenteServicio")) {
            all.add(json(with(name, fields().getOrDefault(name, "").toLowerCase(Locale.ROOT))));
            all.add(json(with(name, "  " + fields().getOrDefault(name, "") + " ")));
        }
        all.add(json(with("folioTramiteProcesar", "f-10")));
        all.add(json(with("nss", " " + fields().getOrDefault("nss", ""))));
        all.add(json(with("tipoPrestacion", "06 ")));
        all.add(json(with("apellidoMaterno", "   ")));
        all.add(plain.replace(",\"apellidoMaterno\":\"\"", ""));
        all.add(plain.replace("\"apellidoMaterno\":\"\"", "\"apellidoMaterno\":null"));
        all.add(json(with("origen", "10.0")));
        all.add(json(with("origen", "10.00")));
        all.add(json(with("origen", "1E1")));
        all.add(plain.replace("\"origen\":10", "\"origen\":\"10\""));
        all.add(plain.replace(
                ":" + fields().getOrDefault("selloTrabajador", ""),
                ":" + quoted(fields().getOrDefault("selloTrabajador", ""))));
        all.add(plain.replace(
                ":" + fields().getOrDefault("selloTrabajador", ""),
                ":" + fields().getOrDefault("selloTrabajador", "") + ".0"));
        all.add(json(with("apellidoPaterno", Normalizer.normalize("ZAMPOÑA ÁLVAREZ", Normalizer.Form.NFD))));
        all.add(json(with("apellidoPaterno", Normalizer.normalize("zampoña álvarez", Normalizer.Form.NFD))));
        all.add(plain.replace("ZAMPOÑA", "ZAMPO\\u00d1A"));
        all.add(plain.replace(",", " ,\n\t").replace(":", " : "));
        all.add("\uFEFF" + plain);
        all.add(plain.replace("{", "{\"estatus\":\"1\",\"existeCertificado\":true,\"otro\":{\"x\":[1]},"));
        return all;
    }

    @Test
    void the_same_request_in_thirty_spellings_has_one_fingerprint() {
        assertThat(spellings()).hasSizeGreaterThanOrEqualTo(30).doesNotHaveDuplicates();

        assertThat(spellings().stream().map(FingerprintTest::fingerprint).distinct())
                .hasSize(1);
    }

    @Test
    void changing_any_business_field_changes_it() {
        Map<String, String> other = SampleWorkers.request(14, "F-11", "534");
        Map<String, String> changed = new LinkedHashMap<>();
        for (String name : CertificationRequest.FIELDS) {
            String value = switch (name) {
                case "tipoPrestacion" -> "07";
                case "origen" -> "11";
                case "idSolicitante", "indicadorOrigenTramite" -> "02";
                case "nombreTrabajador" -> "OTRO";
                default -> other.getOrDefault(name, "");
            };
            changed.put(name, fingerprint(json(with(name, value))));
        }

        assertThat(changed).hasSize(14).doesNotContainValue(fingerprint(json(fields())));
        assertThat(changed.values()).doesNotHaveDuplicates();
    }

    @Test
    void a_seal_near_two_to_the_sixty_third_stays_exact() {
        String below = fingerprint(json(with("selloTrabajador", "9223372036854775806")));
        String at = fingerprint(json(with("selloTrabajador", "9223372036854775807")));
        String above = fingerprint(json(with("selloTrabajador", "9223372036854775808")));

        assertThat(List.of(below, at, above)).doesNotHaveDuplicates();
    }

    @Test
    void what_was_read_is_printed_without_anything_personal() {
        RequestReader.Read read =
                READER.read(json(fields()).getBytes(StandardCharsets.UTF_8)).orElseThrow();

        assertThat(read.fields()).containsKeys("nss", "curp", "nombreTrabajador");
        assertThat(read.toString())
                .contains("nss")
                .doesNotContain(
                        read.fields().getOrDefault("nss", ""),
                        read.fields().getOrDefault("curp", ""),
                        read.fields().getOrDefault("nombreTrabajador", ""),
                        "ZAMPOÑA");
    }

    @Test
    void text_cannot_move_from_one_field_to_the_next() {
        Map<String, String> one = with("nombreTrabajador", "ANA MARIA");
        one.put("apellidoPaterno", "SOL");
        Map<String, String> two = with("nombreTrabajador", "ANA");
        two.put("apellidoPaterno", "MARIA SOL");

        assertThat(fingerprint(json(one))).isNotEqualTo(fingerprint(json(two)));
    }
}
