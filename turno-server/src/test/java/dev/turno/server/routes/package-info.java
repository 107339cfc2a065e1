/** The routes of webhooks, external workers and WhatsApp, over real HTTP. */
@NullMarked
package dev.turno.server.routes;

import org.jspecify.annotations.NullMarked;
