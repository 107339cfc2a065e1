/**
 * The command line: noun and verb.
 *
 * <p><b>Start at</b> {@link dev.turno.server.cli.Main}. {@code up} runs the server in this process; everything else asks a running
 * server over its API, as any other client would. <b>Promises:</b> exit code 0 done, 1 failed, 2 wrong usage; with {@code --json} what
 * the API answered, unchanged; tokens come by the environment, never by the command line, where other users could see them.
 */
@NullMarked
package dev.turno.server.cli;

import org.jspecify.annotations.NullMarked;
