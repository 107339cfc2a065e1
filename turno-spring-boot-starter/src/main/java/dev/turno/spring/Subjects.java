package dev.turno.spring;

import dev.turno.action.Subject;
import java.util.Optional;

/** A bean that knows the application's subjects and their properties, asked when the moment of a subject's schedule has come. */
@FunctionalInterface
public interface Subjects {

    /** Empty: there is no such subject any more, and it is passed over. */
    Optional<Subject> find(String id);
}
