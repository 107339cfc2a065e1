/** Against real databases. */
@NullMarked
package dev.turno.server.whatsapp;

import org.jspecify.annotations.NullMarked;
