/** The demo, as people start it. */
@NullMarked
package dev.turno.server.demo;

import org.jspecify.annotations.NullMarked;
