/** The API, tested from inside. */
@NullMarked
package dev.turno.web.api;

import org.jspecify.annotations.NullMarked;
