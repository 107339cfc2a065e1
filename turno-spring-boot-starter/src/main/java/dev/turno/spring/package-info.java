/** Turno in a Spring Boot application with one dependency. */
@NullMarked
package dev.turno.spring;

import org.jspecify.annotations.NullMarked;
