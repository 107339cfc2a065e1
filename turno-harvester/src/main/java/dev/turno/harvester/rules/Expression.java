package dev.turno.harvester.rules;

import java.util.List;

/**
 * A condition on the fields of a record: {@code dc.type == 'article' AND NOT (dc.rights =% '.*closed.*' OR dc.date == '')}. A
 * comparison holds if one of the field's values is equal, or matches the regular expression as a whole.
 */
public sealed interface Expression {

    boolean holds(Fields fields);

    /**
     * @throws ExpressionException if it cannot be read, with the place where it stopped making sense
     */
    static Expression parse(String text) {
        return new ExpressionParser(text).parse();
    }

    record And(List<Expression> all) implements Expression {
        @Override
        public boolean holds(Fields fields) {
            for (Expression one : all) {
                if (!one.holds(fields)) {
                    return false;
                }
            }
            return true;
        }
    }

    record Or(List<Expression> all) implements Expression {
        @Override
        public boolean holds(Fields fields) {
            for (Expression one : all) {
                if (one.holds(fields)) {
                    return true;
                }
            }
            return false;
        }
    }

    record Not(Expression inner) implements Expression {
        @Override
        public boolean holds(Fields fields) {
            return !inner.holds(fields);
        }
    }

    record Equal(String field, String value) implements Expression {
        @Override
        public boolean holds(Fields fields) {
            return fields.of(field).contains(value);
        }
    }

    record Matches(String field, Regex regex) implements Expression {
        @Override
        public boolean holds(Fields fields) {
            for (String value : fields.of(field)) {
                if (regex.matches(value)) {
                    return true;
                }
            }
            return false;
        }
    }
}
