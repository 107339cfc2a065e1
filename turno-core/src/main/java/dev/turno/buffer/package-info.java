/**
 * Messages for one key, joined until it is quiet, then handed over together.
 *
 * <p><b>What for:</b> people write in bursts ("hola", "quiero reserva"), and whoever answers wants the whole of it, once. <b>Start
 * at</b> {@link dev.turno.buffer.Buffers}: add messages under a key, handle bursts, look at dead ones and revive them.
 *
 * <p><b>Promises:</b> a message lies in one burst, and a burst is handed over under one key, the same at every retry, with the very
 * same messages; one burst of a key at a time; what arrives meanwhile waits for the next; a message id that was added before changes
 * nothing; nothing that was not handed over is ever deleted.
 *
 * <p><b>Does not</b> promise that a burst is handed over only once when a process dies between the gateway's answer and the finish: the
 * repetition carries the same key.
 */
@NullMarked
package dev.turno.buffer;

import org.jspecify.annotations.NullMarked;
