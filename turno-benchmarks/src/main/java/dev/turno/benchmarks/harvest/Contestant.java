package dev.turno.benchmarks.harvest;

import java.nio.file.Path;

/** Somebody who harvests a source. */
interface Contestant {

    String who();

    /** How many records it is given, of a thousand: slow ones are given fewer. */
    int share();

    /** Harvests everything into a folder; answers how many records it got. */
    long harvest(String url, Path folder) throws Exception;
}
