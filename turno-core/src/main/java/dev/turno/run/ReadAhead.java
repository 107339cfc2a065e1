package dev.turno.run;

import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
        Optional<Page<I>> page = get(asked);
        next = page.isPresent() ? reader.submit(() -> pages.next(size)) : null;
        return page;
    }

    /** What the source throws comes out as it is: it may be a wish to be parked. */
    private static <T> T get(Future<T> asked) throws Exception {
        try {
            return asked.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    public Optional<Long> total() throws Exception {
        return pages.total();
    }

    @Override
    public void close() throws Exception {
        reader.shutdownNow();
        boolean interrupted = Thread.interrupted(); // as by a lost claim, which must not leave the source open
        try {
            // A source that hangs is not closed under the hands of its reader: that ends it when it comes back.
            boolean ended = reader.awaitTermination(1, TimeUnit.MINUTES);
            if (ended) {
                pages.close();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
