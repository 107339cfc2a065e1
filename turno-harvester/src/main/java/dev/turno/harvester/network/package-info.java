/**
 * Networks, the repositories that are harvested, and their snapshots, one per harvest.
 *
 * <p><b>Start at</b> {@code Networks} and {@code Snapshots}. They promise that a stopped or failed harvest is never taken for the last
 * good one, and that what a run writes about its snapshot is written in the transaction of its page.
 */
@NullMarked
package dev.turno.harvester.network;

import org.jspecify.annotations.NullMarked;
