package dev.turno.benchmarks.result;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Four digits that mean something, never in the notation with an exponent. */
public final class Numbers {

    private static final int DIGITS = 4;

    private Numbers() {}

    public static String plain(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "0";
        }
        BigDecimal exact = BigDecimal.valueOf(value);
        BigDecimal rounded = Math.abs(value) >= Math.pow(10, DIGITS)
                ? exact.setScale(0, RoundingMode.HALF_UP)
                : exact.round(new MathContext(DIGITS, RoundingMode.HALF_UP));
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
