package dev.turno.harvester.rules;

/** An expression that cannot be read; the message shows where. */
public final class ExpressionException extends IllegalArgumentException {

    private final int position;

    ExpressionException(String expression, int position, String why) {
        super(why + " at character " + (position + 1) + ":\n  " + expression.replace('\n', ' ') + "\n  "
                + " ".repeat(position) + "^");
        this.position = position;
    }

    /** Where it stopped making sense, counted from 0. */
    public int position() {
        return position;
    }
}
