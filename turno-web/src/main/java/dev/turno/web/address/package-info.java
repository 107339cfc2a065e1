/**
 * Which addresses belong to the public internet: what others name as a target must not lead to a machine's own neighbours.
 *
 * <p><b>Start at</b> {@link dev.turno.web.address.PublicAddresses}. <b>Does not</b> look up names: whoever connects must connect to the
 * very addresses that were asked about here.
 */
@NullMarked
package dev.turno.web.address;

import org.jspecify.annotations.NullMarked;
