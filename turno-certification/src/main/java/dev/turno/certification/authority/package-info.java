/**
 * Who decides about a certification.
 *
 * <p><b>What for:</b> one port with two real adapters: rules over tables of this database, and a validator behind a URL.
 * <b>Start at</b> {@link dev.turno.certification.authority.CertificationAuthority}: what differs between them is not how they decide,
 * but whether an answer can be lost on the way. <b>Promises:</b> the embedded authority's rows and the stored answer commit together;
 * an authority outside is never asked twice while nobody knows what became of the first time.
 */
@NullMarked
package dev.turno.certification.authority;

import org.jspecify.annotations.NullMarked;
