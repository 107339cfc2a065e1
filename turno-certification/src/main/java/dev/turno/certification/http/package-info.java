/**
 * The service over HTTP.
 *
 * <p><b>Start at</b> {@link dev.turno.certification.http.CertificationController}: the legacy profile at the path of old, the http
 * profile under {@code /api/v1}. <b>Promises:</b> only answers of the contract; nothing personal in a log line or an error.
 */
@NullMarked
package dev.turno.certification.http;

import org.jspecify.annotations.NullMarked;
