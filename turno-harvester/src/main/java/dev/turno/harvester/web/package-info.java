/**
 * Manners for asking the servers that records name.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.web.HostGates}, which keeps from asking a host too often, and
 * {@link dev.turno.harvester.web.OutsideClient}, which keeps from asking the machine's own neighbours.
 */
@NullMarked
package dev.turno.harvester.web;

import org.jspecify.annotations.NullMarked;
