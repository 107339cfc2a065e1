/**
 * Turno in a Spring Boot application with one dependency.
 *
 * <p><b>What for:</b> a running Turno on the application's data source, and bean methods as handlers. <b>Start at</b>
 * {@link dev.turno.spring.InboxHandler @InboxHandler} and its sisters, {@link dev.turno.spring.TurnoTemplate} for puts in Spring's transactions,
 * {@link dev.turno.spring.TurnoProperties} for what can be configured; {@code docs/spring-boot.md} is the guide.
 *
 * <p><b>Promises:</b> what is put or finished in a transaction goes with it; handlers begin when all beans are ready, and end before the
 * web server and the pools do; what its author can mend is told at start-up, with what to do. <b>Does not</b> add any rule of its own
 * to those of the engine.
 */
@NullMarked
package dev.turno.spring;

import org.jspecify.annotations.NullMarked;
