/** The HTTP API and the dashboard, mountable in any Spring Boot application. */
@NullMarked
package dev.turno.web;

import org.jspecify.annotations.NullMarked;
