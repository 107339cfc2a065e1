/** Code in the documentation is compiled and run as it stands there. */
@NullMarked
package dev.turno.documentation;

import org.jspecify.annotations.NullMarked;
