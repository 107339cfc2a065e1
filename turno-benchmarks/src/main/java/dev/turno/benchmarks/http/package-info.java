/**
 * Puts over HTTP beside puts of the bare library. <b>Start at</b> {@link dev.turno.benchmarks.http.HttpPuts}.
 */
@NullMarked
package dev.turno.benchmarks.http;

import org.jspecify.annotations.NullMarked;
