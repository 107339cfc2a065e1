/**
 * The certification service for AFORE requests: its wiring into a Boot application.
 *
 * <p><b>Start at</b> {@link dev.turno.certification.CertificationAutoConfiguration}; what the service does begins in
 * {@link dev.turno.certification.http.CertificationController} and is decided in {@link dev.turno.certification.intake.Intake}. Nothing
 * imports this package.
 */
@NullMarked
package dev.turno.certification;

import org.jspecify.annotations.NullMarked;
