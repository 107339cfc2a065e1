package dev.turno.certification.wire;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Requests and answers as JSON. Shared by threads. */
public final class Wire {

    private static final int MOST_DIGITS = 100;
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private Wire() {}

    public static String write(Answer answer) {
        return JSON.writeValueAsString(answer.fields());
    }

    /** Empty if it is not an answer of the contract. Fields that the contract does not know are left out. */
    public static Optional<Answer> readAnswer(String text) {
        try {
            JsonNode root = JSON.readTree(text);
            Map<String, String> fields = new LinkedHashMap<>();
            root.properties().forEach(field -> {
                if (field.getValue().isValueNode() && !field.getValue().isNull()) {
                    fields.put(field.getKey(), text(field.getValue()));
                }
            });
            return Optional.of(new Answer(fields));
        } catch (JacksonException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** A validator may send an amount as a number: it keeps its digits, and its cents where they are zero. */
    private static String text(JsonNode value) {
        if (!value.isNumber()) {
            return value.asString();
        }
        BigDecimal number = value.decimalValue();
        if (Math.abs((long) number.scale()) > MOST_DIGITS) { // 1E999999999 would fill the memory
            throw new IllegalArgumentException("A number of the answer has more digits than any amount.");
        }
        return number.toPlainString();
    }

    /** As callers send it: the two numbers as numbers, however large. */
    public static String write(CertificationRequest request) {
        ObjectNode root = JSON.createObjectNode();
        request.fields().forEach((name, value) -> {
            if (isNumber(name, value)) {
                root.put(name, new BigInteger(value));
            } else if (!value.isEmpty()) {
                root.put(name, value);
            }
        });
        return root.toString();
    }

    private static boolean isNumber(String name, String value) {
        boolean numeric = name.equals("origen") || name.equals("selloTrabajador");
        return numeric && value.matches("0|[1-9][0-9]*");
    }

    /** What the receiver of a notification reads. */
    public static String notification(String folio, String afore, Answer answer) {
        ObjectNode root = JSON.createObjectNode();
        root.put("folioTramiteProcesar", folio);
        root.put("claveAdminActual", afore);
        ObjectNode nested = root.putObject("respuesta");
        answer.fields().forEach(nested::put);
        return root.toString();
    }
}
