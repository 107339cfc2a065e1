package dev.turno.watch;

import java.util.List;
import org.slf4j.LoggerFactory;

/** Listens. Called on engine threads: be quick. May be called by several threads at once. */
@FunctionalInterface
public interface Watcher {

    void on(WorkEvent event);

    /** Tells every one of them, whatever the others do. */
    static Watcher all(List<Watcher> watchers) {
        List<Watcher> copy = List.copyOf(watchers);
        return event -> copy.forEach(watcher -> tell(watcher, event));
    }

    private static void tell(Watcher watcher, WorkEvent event) {
        try {
            watcher.on(event);
        } catch (Throwable e) { // also one of a library that does not fit: a loop must not end because of who listens
            LoggerFactory.getLogger(Watcher.class).warn("A watcher failed on {}; the work itself goes on.", event, e);
        }
    }
}
