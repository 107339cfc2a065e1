package dev.turno.spring;

import dev.turno.Turno;
import java.util.List;
import org.springframework.context.SmartLifecycle;

/**
 * Begins the work when the application is ready for it, and drains it before the web server and the pools close. Turno itself, with
 * puts and locks, is there until its bean is destroyed: requests that are still answered need it.
 */
final class TurnoLifecycle implements SmartLifecycle {

    static final int PHASE = DEFAULT_PHASE - 256;

    private final Turno turno;
    private final List<TurnoWork> work;
    private volatile boolean running;

    TurnoLifecycle(Turno turno, List<TurnoWork> work) {
        this.turno = turno;
        this.work = work;
    }

    @Override
    public void start() {
        running = true;
        work.forEach(one -> one.begin(turno));
    }

    @Override
    public void stop() {
        turno.drain();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
