/**
 * An OAI-PMH 2.0 provider over the XOAI index: what was harvested can be harvested again.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.provider.OaiProvider}. <b>Promises:</b> answers are well-formed and follow the
 * protocol whatever the arguments are; a resumption token holds all it needs, so it outlives this process and works at any instance;
 * a list neither repeats nor leaves out an item that does not change meanwhile. <b>Does not</b> keep deletions for ever: they go when
 * a network is removed from the index, so it says {@code transient}.
 */
@NullMarked
package dev.turno.harvester.provider;

import org.jspecify.annotations.NullMarked;
