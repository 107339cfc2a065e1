package dev.turno.spring;

import dev.turno.lock.LockTerms;
import dev.turno.run.RunOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * Property names of the applications that Turno's features come from. They are still understood, so that such an application keeps its
 * configuration; where Turno's own name is set too, that one counts.
 */
record OlderNames(Environment environment) {

    void choose(LockTerms.Builder terms) {
        text("spring.application.name", terms::service);
        text("application.service.name", terms::service);
        text("application.user.default", terms::user);
        number("lock.timeout.seconds", seconds -> terms.lease(Duration.ofSeconds(seconds)));
        number("lock.retry.max", retries -> terms.retries(Math.toIntExact(retries)));
        number("lock.retry.delay.ms", millis -> terms.delay(Duration.ofMillis(millis)));
        number("lock.cleanup.interval.seconds", seconds -> terms.cleanUpEvery(Duration.ofSeconds(seconds)));
        choice("lock.cleanup.enabled", terms::cleanUp);
    }

    void choose(RunOptions.Builder runs) {
        number("taskmanager.concurrent.tasks", tasks -> runs.perNode(Math.toIntExact(tasks)));
        number("taskmanager.max_queued.tasks", tasks -> runs.maxQueued(Math.toIntExact(tasks)));
    }

    private void text(String name, Consumer<String> then) {
        value(name).ifPresent(then);
    }

    private void number(String name, Consumer<Long> then) {
        value(name).ifPresent(value -> {
            try {
                then.accept(Long.valueOf(value));
            } catch (NumberFormatException | ArithmeticException e) {
                throw refused(name, value, "a whole number", e);
            }
        });
    }

    private void choice(String name, Consumer<Boolean> then) {
        value(name).ifPresent(value -> {
            if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
                throw refused(name, value, "true or false", null);
            }
            then.accept(Boolean.valueOf(value));
        });
    }

    private Optional<String> value(String name) {
        return Optional.ofNullable(environment.getProperty(name)).map(String::strip);
    }

    private static StartException refused(String name, String value, String use, @Nullable Exception cause) {
        return new StartException(
                "The property '" + name + "' is '" + value + "'.", "Set it to " + use + ", or remove it.", cause);
    }
}
