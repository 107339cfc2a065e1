/** The words after the name of a command, for those of {@code ./turno} that are parts of the tests. Start at {@link Options}. */
@NullMarked
package dev.turno.command;

import org.jspecify.annotations.NullMarked;
