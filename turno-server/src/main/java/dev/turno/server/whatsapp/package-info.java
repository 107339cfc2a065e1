/**
 * Messages that the WhatsApp Cloud API sends, into a buffer.
 *
 * <p><b>What for:</b> people write in bursts; each burst of a phone number is handed over once, together. <b>Start at</b>
 * {@link dev.turno.server.whatsapp.WhatsApp}.
 *
 * <p><b>Promises:</b> only what Meta signed is stored, each message once however often it is sent; an answer of 200 means that it is
 * stored. <b>Does not</b> answer anybody, nor fetch media: the buffer's handler does.
 */
@NullMarked
package dev.turno.server.whatsapp;

import org.jspecify.annotations.NullMarked;
