package dev.turno.spring;

import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;
import tools.jackson.databind.json.JsonMapper;

/**
 * A bean's method as a handler of rows. Its signature is checked when the application starts. Shared by threads.
 *
 * @param <R> the row, for example a message
 */
final class HandlerMethod<R> implements Handling<R> {

    /**
     * What an annotation's methods may take.
     *
     * @param row what may be taken whole
     * @param body what may be taken as a text
     * @param json whether the body may also be taken as what Jackson reads from it
     */
    record Shape<R>(Class<? extends Annotation> annotation, Class<R> row, Function<R, String> body, boolean json) {}

    private final Shape<R> shape;
    private final Supplier<Object> bean;
    private final Method method;
    private final @Nullable JacksonCodec<?> codec;

    HandlerMethod(Shape<R> shape, Supplier<Object> bean, Method method, JsonMapper mapper) {
        this.shape = shape;
        this.bean = bean;
        this.method = method;
        requireReturn();
        this.codec = Arrays.stream(method.getParameters())
                .filter(this::isBody)
                .reduce((first, second) -> {
                    throw wrong("takes two bodies, '" + first + "' and '" + second + "'");
                })
                .filter(parameter -> parameter.getType() != String.class)
                .map(parameter ->
                        new JacksonCodec<>(mapper, requireJson(parameter).getParameterizedType()))
                .orElse(null);
    }

    private void requireReturn() {
        if (method.getReturnType() != void.class && method.getReturnType() != Result.class) {
            throw wrong("returns " + method.getReturnType().getName());
        }
    }

    private boolean isBody(Parameter parameter) {
        return parameter.getType() != Turn.class && parameter.getType() != shape.row();
    }

    private Parameter requireJson(Parameter parameter) {
        if (!shape.json()) {
            throw wrong("takes '" + parameter + "'");
        }
        return parameter;
    }

    private StartException wrong(String what) {
        String body = shape.json() ? "the body (a String, or a type that Jackson reads)" : "the text (a String)";
        return new StartException(
                "The @" + shape.annotation().getSimpleName() + " method " + name() + " " + what + ".",
                "Let it take any of " + body + ", " + shape.row().getName() + " and " + Turn.class.getName()
                        + ", each at most once, and return nothing or a " + Result.class.getName() + ".");
    }

    String name() {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    @Override
    public Result handle(R row, Turn turn) throws Exception {
        Object body = shape.body().apply(row);
        if (codec != null) {
            try {
                body = codec.read((String) body);
            } catch (RuntimeException e) {
                return Result.reject("The body cannot be read for " + name() + ": " + Unreadable.because(e)
                        + "\nMend the type and revive it, or put it again under another id.");
            }
        }
        return call(row, turn, body) instanceof Result result ? result : Result.done();
    }

    private @Nullable Object call(R row, Turn turn, @Nullable Object body) throws Exception {
        Object target = bean.get();
        Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
        ReflectionUtils.makeAccessible(invocable);
        try {
            return invocable.invoke(target, arguments(row, turn, body));
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
            throw e;
        }
    }

    private @Nullable Object[] arguments(R row, Turn turn, @Nullable Object body) {
        return Arrays.stream(method.getParameterTypes())
                .map(type -> type == Turn.class ? turn : type == shape.row() ? row : body)
                .toArray();
    }
}
