package dev.turno.spring;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Figures that are asked of the database at most every ten seconds, and not at all while that is away. Shared by threads. */
final class Cached<T> {

    private static final long GOOD_FOR = Duration.ofSeconds(10).toNanos();

    private final Supplier<T> question;
    private final BooleanSupplier canBeAsked;
    private @Nullable T answer;
    private long askedAt;
    private boolean asked;

    Cached(Supplier<T> question, BooleanSupplier canBeAsked) {
        this.question = question;
        this.canBeAsked = canBeAsked;
    }

    /** Not a number while the database is away. */
    synchronized double figure(ToDoubleFunction<T> figure) {
        if (!asked || System.nanoTime() - askedAt > GOOD_FOR) {
            answer = ask();
            askedAt = System.nanoTime();
            asked = true;
        }
        return answer == null ? Double.NaN : figure.applyAsDouble(answer);
    }

    private @Nullable T ask() {
        try {
            return canBeAsked.getAsBoolean() ? question.get() : null;
        } catch (RuntimeException e) {
            return null;
        }
    }
}
