package dev.turno.harvester.rules;

import java.util.ArrayList;
import java.util.List;

/** Judges the values of one field one by one, and counts. */
record ValueCheck(String field, Quantifier quantifier, Test test) implements Check {

    /** Whether one value is good. */
    @FunctionalInterface
    interface Test {
        boolean accepts(String value);
    }

    @Override
    public Finding on(Draft draft) {
        List<String> values = draft.fields().of(field);
        List<String> good = new ArrayList<>(values.size());
        List<String> bad = new ArrayList<>(0);
        for (String value : values) {
            (test.accepts(value) ? good : bad).add(value);
        }
        return new Finding(quantifier.holds(good.size(), bad.size()), good, bad);
    }
}
