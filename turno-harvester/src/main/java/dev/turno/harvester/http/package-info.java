/**
 * The harvester over HTTP: networks, snapshots with their records, rules, entities.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.http.NetworkController}. Reading is for viewers; running, stopping and accepting for
 * operators; networks and rules are changed by admins, and every change is audited by the filter in front.
 */
@NullMarked
package dev.turno.harvester.http;

import org.jspecify.annotations.NullMarked;
