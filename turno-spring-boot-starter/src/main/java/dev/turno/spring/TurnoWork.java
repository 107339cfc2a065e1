package dev.turno.spring;

import dev.turno.Turno;

/** A bean that has something to be worked on in this process. Called when the application starts, and again after a restart. */
@FunctionalInterface
public interface TurnoWork {

    /** Begins to handle: {@code turno.handle(...)}. Turno itself stops what was begun here when the application stops. */
    void begin(Turno turno);
}
