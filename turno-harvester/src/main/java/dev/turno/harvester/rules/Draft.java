package dev.turno.harvester.rules;

/** A record while rules work on it. Belongs to one thread. */
public record Draft(String identifier, Origin origin, Fields fields) {}
