/**
 * The HTTP API under {@code /api/v1}.
 *
 * <p><b>Start at</b> {@link dev.turno.web.api.ApiConfiguration}, which lists the controllers; each is the door of one feature, and its
 * {@link dev.turno.web.security.Route} says who may use it. <b>Promises:</b> errors are problem+json, lists go on with
 * {@code ?after=next}, nothing is created by reading. <b>Does not</b> hold any state but the open event streams.
 */
@NullMarked
package dev.turno.web.api;

import org.jspecify.annotations.NullMarked;
