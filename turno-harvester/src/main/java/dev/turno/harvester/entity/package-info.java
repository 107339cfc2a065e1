/**
 * People, organisations and identifiers that valid records mention, with where they were found.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.entity.EntityJob}, which finds them, and {@link dev.turno.harvester.entity.Entities},
 * which searches them. <b>Promises:</b> the mentions of a record are those of its newest version. <b>Does not</b> decide whether two
 * names are the same person: an entity is a name, or an identifier, as it was written.
 */
@NullMarked
package dev.turno.harvester.entity;

import org.jspecify.annotations.NullMarked;
