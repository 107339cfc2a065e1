/**
 * Catalogues as data with validity.
 *
 * <p><b>Start at</b> {@link dev.turno.certification.catalog.Catalogs}. A new code is a row, not a release.
 */
@NullMarked
package dev.turno.certification.catalog;

import org.jspecify.annotations.NullMarked;
