package dev.turno.benchmarks.harvest;

import java.nio.file.Path;

/** Somebody who harvests a source. */
interface Contestant {

    String who();

    /** How many records it is given, of a thousand: slow ones are given fewer. */
    int share();

    /** What came, and how long it took, without the making of a database. */
    record Harvested(long records, double seconds) {}

    /** Harvests everything into a folder. */
    Harvested harvest(String url, Path folder) throws Exception;
}
