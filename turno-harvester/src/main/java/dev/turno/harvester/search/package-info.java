/**
 * Searching the local index, by an API and on a small page.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.search.Search}. With Solr as the index, its own frontends do this better.
 */
@NullMarked
package dev.turno.harvester.search;

import org.jspecify.annotations.NullMarked;
