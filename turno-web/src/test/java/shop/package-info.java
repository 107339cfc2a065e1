/** An application around Turno, with routes and errors of its own. */
@NullMarked
package shop;

import org.jspecify.annotations.NullMarked;
