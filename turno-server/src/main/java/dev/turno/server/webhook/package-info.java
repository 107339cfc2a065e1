/**
 * Handlers that live behind a URL: messages, bursts and tasks are posted to a receiver, signed, and its answer is the result.
 *
 * <p><b>What for:</b> users who do not write Java. <b>Start at</b> {@link dev.turno.server.webhook.Webhooks}.
 *
 * <p><b>Promises:</b> what is posted is posted at least once, under a {@code webhook-id} that is the same at every retry and with a
 * {@code turno-fence} that grows; nothing is posted to an address that was not checked, and no redirect is followed; a receiver that
 * is away costs no attempts once that was noticed; what is defined through one server is picked up by all of them.
 *
 * <p><b>Does not</b> post anything twice on purpose, but a crash between the answer and the finish repeats it.
 */
@NullMarked
package dev.turno.server.webhook;

import org.jspecify.annotations.NullMarked;
