/** The tables of the API, made and made again. */
@NullMarked
package dev.turno.web.tables;

import org.jspecify.annotations.NullMarked;
