/**
 * Several nodes of an application in one JVM, on one database, with a time that only moves when told.
 *
 * <p><b>What for:</b> tests of handlers and of Turno itself: what one node does is seen by the others, one of them is killed
 * or paused, and the lease passes by {@code time.forward(...)} instead of sleeping. <b>Start at</b>
 * {@link dev.turno.testkit.node.Cluster}.
 *
 * <p><b>Does not</b> replace a real kill -9: for that there is {@code dev.turno.testkit.process}.
 */
@NullMarked
package dev.turno.testkit.node;

import org.jspecify.annotations.NullMarked;
