package dev.turno.harvester.entity;

/**
 * An entity in a record.
 *
 * @param key what makes it the same entity wherever it is written
 * @param name as people see it
 * @param field where it stands
 */
public record Mention(EntityKind kind, String key, String name, String field) {}
