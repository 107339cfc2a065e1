package dev.turno.harvester.network;

/** What can be switched on or off for a network; actions look at these. */
public enum NetworkProperty {
    FORCE_FULL_HARVESTING,
    VALIDATE,
    TRANSFORM,
    DETAILED_DIAGNOSE,
    INDEX_FRONTEND,
    INDEX_XOAI,
    INDEX_FULLTEXT,
    CLEAN_NETWORK
}
