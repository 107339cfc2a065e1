package dev.turno.harvester.harvest;

import java.sql.Connection;

/** Something that a harvest has got and that is written down in the transaction which moves it on. May be written again. */
@FunctionalInterface
interface Gathered {

    void write(Connection connection) throws Exception;

    /** What cannot be written: it ends the run for good, where a source that throws is asked again. */
    static Gathered failing(String why) {
        return connection -> {
            throw new HarvestFailedException(why);
        };
    }
}
