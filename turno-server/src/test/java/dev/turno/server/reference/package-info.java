/** The pages in {@code docs/reference} are drawn from the code, and these tests fail when the two differ. */
@NullMarked
package dev.turno.server.reference;

import org.jspecify.annotations.NullMarked;
