package dev.turno.server.external;

import dev.turno.claim.Taken;
import dev.turno.inbox.Message;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Workers that wait for messages, first come first served. However many wait for an inbox, it is asked once in a round. Shared by
 * threads; owns one.
 */
final class WaitingRoom implements AutoCloseable {

    /** Who wants what. */
    record Wish(String inbox, String worker, int limit) {}

    private record Waiting(Wish wish, long until, CompletableFuture<List<Taken<Message>>> answer) {}

    private static final Duration ROUND = Duration.ofMillis(100);
    private static final int MOST = 1_000;

    private final Function<Wish, List<Taken<Message>>> take;
    private final BiConsumer<Wish, List<Taken<Message>>> giveBack;
    private final Queue<Waiting> line = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final Thread thread;
    private volatile boolean closed;

    WaitingRoom(Function<Wish, List<Taken<Message>>> take, BiConsumer<Wish, List<Taken<Message>>> giveBack) {
        this.take = take;
        this.giveBack = giveBack;
        this.thread = new Thread(this::loop, "turno-external");
        this.thread.setDaemon(true);
        this.thread.start();
    }

    /** A place to wait; if there is none left, the answer is at once that there is nothing. */
    CompletableFuture<List<Taken<Message>>> enter(Wish wish, Duration wait) {
        CompletableFuture<List<Taken<Message>>> answer = new CompletableFuture<>();
        if (closed || size.incrementAndGet() > MOST) {
            size.decrementAndGet();
            answer.complete(List.of());
            return answer;
        }
        line.add(new Waiting(wish, System.nanoTime() + wait.toNanos(), answer));
        return answer;
    }

    private void loop() {
        while (!closed) {
            Set<String> empty = new HashSet<>();
            line.removeIf(waiting -> isServed(waiting, empty) && size.decrementAndGet() >= 0);
            LockSupport.parkNanos(ROUND.toNanos());
        }
        line.forEach(waiting -> waiting.answer().complete(List.of()));
    }

    private boolean isServed(Waiting waiting, Set<String> empty) {
        if (waiting.answer().isDone()) {
            return true; // gone away
        }
        boolean late = System.nanoTime() - waiting.until() >= 0;
        if (empty.contains(waiting.wish().inbox())) {
            return late && waiting.answer().complete(List.of());
        }
        try {
            List<Taken<Message>> taken = take.apply(waiting.wish());
            if (taken.isEmpty()) {
                empty.add(waiting.wish().inbox());
                return late && waiting.answer().complete(taken);
            }
            if (!waiting.answer().complete(taken)) {
                giveBack.accept(waiting.wish(), taken);
            }
        } catch (Throwable e) {
            waiting.answer().completeExceptionally(e);
        }
        return true;
    }

    /** Answers everybody that there is nothing. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
