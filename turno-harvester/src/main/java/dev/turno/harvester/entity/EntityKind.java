package dev.turno.harvester.entity;

/** What an entity is. */
public enum EntityKind {
    PERSON,
    ORGANISATION,
    DOI,
    ORCID,
    ISSN,
    HANDLE
}
