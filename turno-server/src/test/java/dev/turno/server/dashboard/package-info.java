/** The dashboard in a real browser, behind a proxy that strips a prefix. */
@NullMarked
package dev.turno.server.dashboard;

import org.jspecify.annotations.NullMarked;
