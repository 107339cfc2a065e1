/** What the dashboard reckons by itself. */
@NullMarked
package dev.turno.web.dashboard;

import org.jspecify.annotations.NullMarked;
