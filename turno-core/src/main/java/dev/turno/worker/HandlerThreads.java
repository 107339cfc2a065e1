package dev.turno.worker;

import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Bounded pools for handlers: virtual threads where the runtime has them, if wished, else platform threads. */
final class HandlerThreads {

    private HandlerThreads() {}

    static ThreadPoolExecutor pool(String name, int threads, boolean virtual) {
        ThreadFactory factory = virtual && isVirtualAvailable() ? virtualFactory(name) : platformFactory(name);
        return new ThreadPoolExecutor(threads, threads, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    }

    static boolean isVirtualAvailable() {
        return Runtime.version().feature() >= 21;
    }

    private static ThreadFactory platformFactory(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** {@code Thread.ofVirtual().name(name, 1).factory()}, called by name because this code is built for Java 17. */
    private static ThreadFactory virtualFactory(String name) {
        try {
            Class<?> builderType = Class.forName("java.lang.Thread$Builder");
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Object named =
                    builderType.getMethod("name", String.class, long.class).invoke(builder, name + "-", 1L);
            return (ThreadFactory) builderType.getMethod("factory").invoke(named);
        } catch (ReflectiveOperationException e) {
            return Executors.defaultThreadFactory();
        }
    }
}
