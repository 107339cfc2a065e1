/**
 * Messages stored once, by id, and handled by one holder at a time.
 *
 * <p><b>What for:</b> several instances of an application share an inbox; each message is taken by one of them, retried with
 * backoff when it fails, parked as DEAD when hopeless. <b>Start at</b> {@link dev.turno.inbox.Inbox}: put messages, handle
 * them, look at them, revive them.
 *
 * <p><b>Promises:</b> a message id is stored once for as long as its row is kept; messages with the same ordering key run one
 * after the other in the order in which their puts committed; everything in {@code docs/guarantees.md}.
 *
 * <p><b>Does not</b> promise an order between messages without an ordering key beyond "about first in, first out within a
 * priority", and does not read bodies: they are text.
 */
@NullMarked
package dev.turno.inbox;

import org.jspecify.annotations.NullMarked;
