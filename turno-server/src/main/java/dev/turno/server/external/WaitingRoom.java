package dev.turno.server.external;

import dev.turno.claim.Taken;
import dev.turno.inbox.Message;
import dev.turno.web.api.TooManyException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Workers that wait for messages, first come first served. However many wait for an inbox, it is asked once in a round. Shared by
 * threads; owns one.
 */
final class WaitingRoom implements AutoCloseable {

    /** Who wants what. */
    record Wish(String inbox, WorkerName worker, int limit) {}

    private record Waiting(Wish wish, long until, CompletableFuture<List<Taken<Message>>> answer) {}

    private static final Duration ROUND = Duration.ofMillis(100);
    private static final Duration LONGEST_END = Duration.ofSeconds(5);
    private static final int MOST = 1_000;

    private final Function<Wish, List<Taken<Message>>> take;
    private final BiConsumer<Wish, List<Taken<Message>>> giveBack;
    private final Queue<Waiting> line = new LinkedBlockingQueue<>(MOST);
    private volatile Optional<Thread> attendant = Optional.empty(); // none: closed

    WaitingRoom(Function<Wish, List<Taken<Message>>> take, BiConsumer<Wish, List<Taken<Message>>> giveBack) {
        this.take = take;
        this.giveBack = giveBack;
    }

    synchronized void open() {
        Thread thread = new Thread(this::loop, "turno-external");
        thread.setDaemon(true);
        attendant = Optional.of(thread);
        thread.start();
    }

    boolean isOpen() {
        return attendant.isPresent();
    }

    /**
     * A place to wait; if the room is closed, the answer is at once that there is nothing.
     *
     * @throws TooManyException if there is no place left
     */
    CompletableFuture<List<Taken<Message>>> enter(Wish wish, Duration wait) {
        CompletableFuture<List<Taken<Message>>> answer = new CompletableFuture<>();
        if (!line.offer(new Waiting(wish, System.nanoTime() + wait.toNanos(), answer))) {
            throw new TooManyException(
                    MOST + " requests wait for messages, as many as may. Ask again in a second, or without 'wait'.");
        }
        if (!isOpen()) {
            sendHome();
        }
        return answer;
    }

    private void loop() {
        while (attendant.filter(Thread.currentThread()::equals).isPresent()) {
            Set<String> empty = new HashSet<>();
            line.removeIf(waiting -> isServed(waiting, empty));
            LockSupport.parkNanos(ROUND.toNanos());
        }
    }

    private void sendHome() {
        for (Waiting one = line.poll(); one != null; one = line.poll()) {
            one.answer().complete(List.of());
        }
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
    public synchronized void close() {
        Optional<Thread> last = attendant;
        attendant = Optional.empty();
        last.ifPresent(WaitingRoom::awaitEnd);
        sendHome();
    }

    private static void awaitEnd(Thread thread) {
        LockSupport.unpark(thread);
        try {
            thread.join(LONGEST_END.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
