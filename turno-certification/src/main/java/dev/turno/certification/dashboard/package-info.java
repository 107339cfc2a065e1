/**
 * What the dashboard shows of certifications.
 *
 * <p><b>What for:</b> operators who see how requests are answered, which ones wait to be reconciled, and which days are business days.
 * <b>Start at</b> {@link dev.turno.certification.dashboard.CertificationDashboard}. <b>Promises:</b> no personal data leave it: folios,
 * AFORE keys and codes only.
 */
@NullMarked
package dev.turno.certification.dashboard;

import org.jspecify.annotations.NullMarked;
