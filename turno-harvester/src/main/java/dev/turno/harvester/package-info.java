/** Harvests OAI-PMH repositories, validates, stores and indexes what they have. */
@NullMarked
package dev.turno.harvester;

import org.jspecify.annotations.NullMarked;
