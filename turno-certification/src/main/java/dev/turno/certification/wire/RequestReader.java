package dev.turno.certification.wire;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a request's bytes into normalised fields, without a number ever passing through a double. Shared by threads. */
public final class RequestReader {

    /** The fields of a body by name, normalised, and what could not be read. */
    public record Read(Map<String, String> fields, List<FieldError> errors) {

        /** Without anything personal: it may end in a log. */
        @Override
        public String toString() {
            return "Read[fields=" + fields.keySet() + ", errors=" + errors + "]";
        }
    }

    public static final int LONGEST_BODY = 32_768;
    private static final Set<String> NUMBERS = Set.of("origen", "selloTrabajador");
    private static final int MOST_DIGITS = 20;

    private final JsonMapper json = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    public RequestReader() {}

    /** Empty if it is not a JSON object in UTF-8. */
    public Optional<Read> read(byte[] body) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            JsonNode root = json.readTree(withoutMark(text));
            return root.isObject() ? Optional.of(fieldsOf(root)) : Optional.empty();
        } catch (CharacterCodingException | JacksonException | NumberFormatException e) { // the last for 0E9999999999
            return Optional.empty();
        }
    }

    private static String withoutMark(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static Read fieldsOf(JsonNode root) {
        Map<String, String> fields = new LinkedHashMap<>();
        List<FieldError> errors = new ArrayList<>();
        for (String name : CertificationRequest.FIELDS) {
            JsonNode node = root.get(name);
            if (node != null && !node.isNull()) {
                textOf(name, node)
                        .ifPresentOrElse(
                                value -> fields.put(name, normal(value)),
                                () -> errors.add(new FieldError(name, "tiene un tipo que este campo no admite")));
            }
        }
        return new Read(fields, errors);
    }

    private static Optional<String> textOf(String name, JsonNode node) {
        if (node.isString()) {
            return Optional.of(node.stringValue());
        }
        return node.isNumber() && NUMBERS.contains(name) ? wholeNumber(node.decimalValue()) : Optional.empty();
    }

    /** 10, 10.0 and 1E1 are the same number. The scale is looked at first: 1E999999999 would fill the memory. */
    private static Optional<String> wholeNumber(BigDecimal number) {
        BigDecimal plain = number.stripTrailingZeros();
        boolean fits = plain.scale() <= 0 && (long) plain.precision() - plain.scale() <= MOST_DIGITS;
        return fits ? Optional.of(plain.toPlainString()) : Optional.empty();
    }

    private static String normal(String value) {
        String composed = Normalizer.normalize(value.strip(), Normalizer.Form.NFC);
        return Normalizer.normalize(composed.toUpperCase(Locale.ROOT), Normalizer.Form.NFC);
    }
}
