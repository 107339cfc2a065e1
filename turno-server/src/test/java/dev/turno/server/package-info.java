/** The server as a whole: what it lets in, what it stands, how it starts and ends. */
@NullMarked
package dev.turno.server;

import org.jspecify.annotations.NullMarked;
