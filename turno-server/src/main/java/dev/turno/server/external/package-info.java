/**
 * Workers in other languages, which take, renew and finish over HTTP with the guarantees of a handler in Java.
 *
 * <p><b>What for:</b> PHP, Python and everything else that can send a request. <b>Start at</b>
 * {@link dev.turno.server.external.ExternalWorkers}.
 *
 * <p><b>Promises:</b> a claim belongs to the worker that took it, not to the server that gave it: it outlives that server and can be
 * renewed and finished through any other. It lasts the inbox's maximum run time from its taking or its last renewal. A stale fence, or
 * another worker's, writes nothing.
 *
 * <p><b>Does not</b> notice that a worker died before its claims have lapsed.
 */
@NullMarked
package dev.turno.server.external;

import org.jspecify.annotations.NullMarked;
