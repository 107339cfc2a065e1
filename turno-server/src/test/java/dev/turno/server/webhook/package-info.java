/** Webhooks against real receivers and real databases. */
@NullMarked
package dev.turno.server.webhook;

import org.jspecify.annotations.NullMarked;
