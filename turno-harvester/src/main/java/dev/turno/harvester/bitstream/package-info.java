/**
 * The files of records: downloaded politely, checked, and read for their text.
 *
 * <p><b>Start at</b> {@link dev.turno.harvester.bitstream.Downloader}. <b>Promises:</b> a download that breaks off goes on where it
 * was; a file is there under its name only when it is whole; one failure is the state of one file and stops nothing else. <b>Does
 * not</b> ask addresses of the machine's own network unless it is told to.
 */
@NullMarked
package dev.turno.harvester.bitstream;

import org.jspecify.annotations.NullMarked;
