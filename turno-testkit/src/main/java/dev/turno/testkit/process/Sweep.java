package dev.turno.testkit.process;

import java.io.IOException;
import java.nio.file.Path;

/** The script that ends the processes of a {@link RunDirectory} and removes it, once its standard input ends. */
final class Sweep {

    /** The folder with one file for each process: its name is the process's number, its content the signal. */
    static final String PROCESSES = "processes";

    /**
     * Whoever is signalled must name the directory in its command line or environment, for by now the number may belong to a
     * stranger. Linux tells both in /proc, other systems by ps. Ctrl-C reaches the script too, and must not stop it.
     */
    private static final String SCRIPT = """
            run=$1
            trap '' HUP INT QUIT TERM
            cat >/dev/null
            ours() {
                grep -qsaF -- "$run" "/proc/$1/cmdline" "/proc/$1/environ" && return
                [ ! -d /proc/self ] && ps -E -ww -o command= -p "$1" 2>/dev/null | grep -qF -- "$run"
            }
            for note in "$run"/processes/*; do
                pid=${note##*/}
                ours "$pid" && kill -s "$(cat "$note")" "$pid"
            done 2>/dev/null
            for note in "$run"/processes/*; do
                pid=${note##*/} tries=0
                while ours "$pid" && [ $tries -lt 40 ]; do
                    [ $tries -ge 20 ] && kill -s KILL "$pid"
                    tries=$((tries + 1))
                    sleep 0.1
                done
            done 2>/dev/null
            grep -qsF " $run/" /proc/mounts && umount "$run"/* 2>/dev/null
            rm -rf "$run"
            """;

    private Sweep() {}

    static Process start(Path run) throws IOException {
        return new ProcessBuilder("sh", "-c", SCRIPT, "turno-testkit-sweep", run.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
