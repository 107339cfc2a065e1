/** The API over real HTTP, on real databases. */
@NullMarked
package dev.turno.web;

import org.jspecify.annotations.NullMarked;
