/**
 * The product that runs by itself.
 *
 * <p><b>Start at</b> {@link dev.turno.server.TurnoServer}, or with {@link dev.turno.server.cli.Main}, which {@code ./turno} runs.
 */
@NullMarked
package dev.turno.server;

import org.jspecify.annotations.NullMarked;
