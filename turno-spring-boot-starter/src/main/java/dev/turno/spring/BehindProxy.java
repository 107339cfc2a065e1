package dev.turno.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.springframework.aop.SpringProxy;
import org.springframework.core.MethodIntrospector;

/** Whether a method can be called through the proxy that stands before its bean, for example because of {@code @Transactional}. */
final class BehindProxy {

    private BehindProxy() {}

    /** @param bean the class of the bean as others get it; what Spring derives from a configuration is no proxy */
    static void requireCallable(Class<?> bean, Method method, Class<? extends Annotation> annotation) {
        if (Proxy.isProxyClass(bean)) {
            if (!isInAnInterface(bean, method)) {
                throw wrong(
                        method,
                        annotation,
                        "is in none of the interfaces of the proxy",
                        "Add it to an interface of its bean, or set spring.aop.proxy-target-class=true.");
            }
        } else if (SpringProxy.class.isAssignableFrom(bean)) {
            hindrance(bean, method).ifPresent(hindrance -> {
                throw wrong(
                        method,
                        annotation,
                        hindrance,
                        "Make it public and not final, or move it to a bean without a proxy.");
            });
        }
    }

    private static boolean isInAnInterface(Class<?> proxy, Method method) {
        try {
            return MethodIntrospector.selectInvocableMethod(method, proxy) != null;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** A class-based proxy derives from the bean's class. What it cannot override would run on itself, without the bean's fields. */
    private static Optional<String> hindrance(Class<?> proxy, Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isStatic(modifiers)) {
            return Optional.empty();
        }
        if (Modifier.isPrivate(modifiers)) {
            return Optional.of("is private");
        }
        if (Modifier.isFinal(modifiers)) {
            return Optional.of("is final");
        }
        boolean inherited = Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
        return inherited || isNeighbour(proxy, method.getDeclaringClass())
                ? Optional.empty()
                : Optional.of("is seen in its package alone");
    }

    private static boolean isNeighbour(Class<?> proxy, Class<?> type) {
        return proxy.getPackageName().equals(type.getPackageName()) && proxy.getClassLoader() == type.getClassLoader();
    }

    private static StartException wrong(
            Method method, Class<? extends Annotation> annotation, String hindrance, String action) {
        return new StartException(
                "The @" + annotation.getSimpleName() + " method "
                        + method.getDeclaringClass().getName() + "." + method.getName() + " " + hindrance
                        + ", and a proxy stands before its bean, which cannot call it.",
                action);
    }
}
