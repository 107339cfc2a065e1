package dev.turno.harvester.bitstream;

import java.nio.file.Path;
import java.util.function.Function;

/** What became of a download. */
public sealed interface Downloaded {

    record Done(Path file, long size, String sha256, String mediaType) implements Downloaded {}

    /** It will not get better by asking again: gone, forbidden, too large. */
    record Refused(String why) implements Downloaded {}

    /** It may work another time; what was read is kept and not asked for again. */
    record Broken(String why) implements Downloaded {}

    default <R> R fold(Function<Done, R> done, Function<Refused, R> refused, Function<Broken, R> broken) {
        if (this instanceof Done one) {
            return done.apply(one);
        }
        return this instanceof Refused one ? refused.apply(one) : broken.apply((Broken) this);
    }
}
