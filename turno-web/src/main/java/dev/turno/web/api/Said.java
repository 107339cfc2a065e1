package dev.turno.web.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A sentence in English, and what it is made of: who speaks another language has a sentence of its own for the code, and sets the
 * values into it.
 *
 * @param text with the values in it
 */
public record Said(String code, String text, Map<String, Object> values) {

    /** {@code of("late", "It is {seconds} s late.", "seconds", 3)}. */
    public static Said of(String code, String sentence, Object... namesAndValues) {
        Map<String, Object> values = new LinkedHashMap<>();
        String text = sentence;
        for (int i = 0; i < namesAndValues.length; i += 2) {
            String name = namesAndValues[i].toString();
            values.put(name, namesAndValues[i + 1]);
            text = text.replace("{" + name + "}", namesAndValues[i + 1].toString());
        }
        return new Said(code, text, Collections.unmodifiableMap(values));
    }
}
