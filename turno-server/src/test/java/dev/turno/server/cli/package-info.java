/** The command line, tested. */
@NullMarked
package dev.turno.server.cli;

import org.jspecify.annotations.NullMarked;
