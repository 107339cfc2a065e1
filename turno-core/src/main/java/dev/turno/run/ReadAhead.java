package dev.turno.run;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Fetches the next page on a thread of its own while the step works on this one. Closing ends the thread. */
final class ReadAhead<I> implements Pages<I> {

    private final Pages<I> pages;
    private final ExecutorService reader;
    private @Nullable Future<Optional<Page<I>>> next;

    ReadAhead(Pages<I> pages, long run) {
        this.pages = pages;
        this.reader = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "turno-read-ahead run " + run);
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public Optional<Page<I>> next(int size) throws Exception {
        Future<Optional<Page<I>>> asked = next == null ? reader.submit(() -> pages.next(size)) : next;
        next = asked;
        Optional<Page<I>> page = get(asked);
        next = page.isPresent() ? reader.submit(() -> pages.next(size)) : null;
        return page;
    }

    /** What the source throws comes out as it is: it may be a wish to be parked. */
    private static <T> T get(Future<T> asked) throws Exception {
        try {
            return asked.get();
        } catch (ExecutionException e) {
            throw cause(e);
        }
    }

    @Override
    public Optional<Long> total() throws Exception {
        return pages.total();
    }

    /** By the reader itself, behind what it is fetching: a source that hangs is closed when it comes back, and not under its hands. */
    @Override
    public void close() throws Exception {
        if (next != null) {
            next.cancel(true);
        }
        Future<Boolean> closing = reader.submit(() -> {
            pages.close();
            return true;
        });
        reader.shutdown();
        boolean interrupted = Thread.interrupted(); // as by a lost claim, which must not leave the source open
        try {
            await(closing, Duration.ofMinutes(1));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void await(Future<Boolean> closing, Duration atMost) throws Exception {
        try {
            boolean unused = closing.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // The run has waited for long enough; the source is closed behind its back.
        } catch (ExecutionException e) {
            throw cause(e);
        }
    }

    private static Exception cause(ExecutionException e) {
        return e.getCause() instanceof Exception cause ? cause : e;
    }
}
