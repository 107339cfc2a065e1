/**
 * What follows a harvest, put together: the actions under the names that operators know.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.publish.PublishActions}.
 */
@NullMarked
package dev.turno.harvester.publish;

import org.jspecify.annotations.NullMarked;
