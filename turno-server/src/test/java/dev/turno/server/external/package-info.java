/** Against real databases. */
@NullMarked
package dev.turno.server.external;

import org.jspecify.annotations.NullMarked;
