/**
 * Tests of an application's handlers, with the rest of the application left out.
 *
 * <p><b>Start at</b> {@link dev.turno.spring.test.TurnoTest}. <b>Needs</b> turno-testkit and spring-boot-starter-test on the test's class
 * path. <b>Does not</b> move the time or kill nodes: for that there is {@code dev.turno.testkit.node}.
 */
@NullMarked
package dev.turno.spring.test;

import org.jspecify.annotations.NullMarked;
