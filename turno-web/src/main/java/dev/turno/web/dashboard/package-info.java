/**
 * The page that operators keep open.
 *
 * <p><b>What for:</b> to see what goes on in the cluster and to act on it. <b>Start at</b> {@link dev.turno.web.dashboard.Pages}, which
 * serves it, and at {@code app.js} among the resources, which is it. <b>Promises:</b> every address in it is relative, so that it
 * works behind any proxy; nothing in it needs more than {@code default-src 'self'}; it reads what the API gives, by counters and limited
 * lists. <b>Does not</b> hold data of its own but the {@link dev.turno.web.dashboard.History} and the
 * {@link dev.turno.web.dashboard.Failures}.
 */
@NullMarked
package dev.turno.web.dashboard;

import org.jspecify.annotations.NullMarked;
