/**
 * A streaming OAI-PMH client for the repositories that there are, not for those in the specification.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.oai.OaiClient}. A page is fetched whole, within limits, and then read as a stream: its
 * records go to a {@link dev.turno.harvester.oai.RecordSink} one by one and are never all in memory. A page that is not XML is repaired if
 * it can be; if not, its good records are saved and the others are handed over as they came.
 *
 * <p><b>Promises:</b> no answer that was cut off, refused or replaced by a web page is ever taken for an empty one. <b>Does not</b> wait
 * for long: who asks for patience gets an {@link dev.turno.harvester.oai.OaiException} that says until when.
 */
@NullMarked
package dev.turno.harvester.oai;

import org.jspecify.annotations.NullMarked;
