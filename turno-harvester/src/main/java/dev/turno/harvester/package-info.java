/**
 * The harvester in a Spring Boot application: repositories are harvested, their records judged, kept, indexed and offered again.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.HarvesterAutoConfiguration}, which puts the rooms together, or with
 * {@link dev.turno.harvester.harvest.HarvestJob}. Nothing imports this package.
 */
@NullMarked
package dev.turno.harvester;

import org.jspecify.annotations.NullMarked;
