/** A room that another module of Turno's would add to an application. */
@NullMarked
package dev.turno.mounted;

import org.jspecify.annotations.NullMarked;
