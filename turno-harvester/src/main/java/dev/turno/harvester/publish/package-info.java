/**
 * All jobs put together: the actions on networks, under the names that operators know.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.publish.NetworkActions}.
 */
@NullMarked
package dev.turno.harvester.publish;

import org.jspecify.annotations.NullMarked;
