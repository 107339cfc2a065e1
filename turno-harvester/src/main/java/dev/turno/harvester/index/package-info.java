/**
 * Documents made of records, and the indexes they go to: Solr, or a Lucene index on the local disk.
 *
 * <p><b>What for:</b> the frontend index is what people search, the XOAI index is what the OAI-PMH provider serves. <b>Start at</b>
 * {@link dev.turno.harvester.index.IndexTarget}; {@link dev.turno.harvester.index.Crosswalk} makes documents.
 *
 * <p><b>Promises:</b> a document's id depends only on its network and its identifier, so indexing again replaces it; every document
 * carries the snapshot it was made from, and what a full indexing did not renew is removed at its end, in the commit that shows the
 * rest: readers never see fewer documents than before. No text of a user ever becomes part of a query.
 *
 * <p><b>Does not</b> share the local index between processes: with several instances, use Solr.
 */
@NullMarked
package dev.turno.harvester.index;

import org.jspecify.annotations.NullMarked;
