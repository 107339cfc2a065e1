/** The product that runs by itself: API, dashboard, webhooks, external workers and command line. */
@NullMarked
package dev.turno.server;

import org.jspecify.annotations.NullMarked;
