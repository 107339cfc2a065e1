package dev.turno.server.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that needs a verb. */
abstract class Noun implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli gives it before it calls anything
    private CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "turno: say what to do with " + spec.name() + ".");
    }
}
