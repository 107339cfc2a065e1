package dev.turno.web.api;

import java.util.List;

/** Explains things of one kind; a module contributes a bean of this type. */
public interface Why {

    /** As in {@code /why/KIND/...}. */
    String kind();

    /**
     * In sentences, the most important first.
     *
     * @throws NotFoundException if there is no such thing
     */
    List<Said> explain(String id);
}
