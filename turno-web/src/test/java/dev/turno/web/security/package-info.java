/** Who may do what, tested from inside. */
@NullMarked
package dev.turno.web.security;

import org.jspecify.annotations.NullMarked;
