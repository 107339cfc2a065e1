package dev.turno.testkit.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** What a process has printed so far, with a bookmark for who waits for the next thing. Threads may share it. */
final class Lines {

    private final int maximum;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayList<String> kept = new ArrayList<>();
    private int bookmark;
    private boolean ended;

    /** @param maximum how many lines are kept at least; up to twice as many may be, so that forgetting is cheap */
    Lines(int maximum) {
        this.maximum = maximum;
    }

    void add(String line) {
        lock.lock();
        try {
            kept.add(line);
            if (kept.size() >= 2 * maximum) {
                forgetTheOldest();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void forgetTheOldest() {
        kept.subList(0, maximum).clear();
        bookmark = Math.max(0, bookmark - maximum);
    }

    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The next wanted line after the last one that was awaited; empty when the time is over or the process has ended. */
    Optional<String> await(Predicate<String> wanted, Duration timeout) throws InterruptedException {
        lock.lock();
        try {
            long nanos = timeout.toNanos();
            Optional<String> found = next(wanted);
            while (found.isEmpty() && !ended && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
                found = next(wanted);
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    private Optional<String> next(Predicate<String> wanted) {
        while (bookmark < kept.size()) {
            String line = kept.get(bookmark++);
            if (wanted.test(line)) {
                return Optional.of(line);
            }
        }
        return Optional.empty();
    }

    boolean awaitEnd(Duration timeout) throws InterruptedException {
        lock.lock();
        try {
            long nanos = timeout.toNanos();
            while (!ended && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return ended;
        } finally {
            lock.unlock();
        }
    }

    List<String> all() {
        return last(Integer.MAX_VALUE);
    }

    List<String> last(int count) {
        lock.lock();
        try {
            return List.copyOf(kept.subList(Math.max(0, kept.size() - count), kept.size()));
        } finally {
            lock.unlock();
        }
    }
}
