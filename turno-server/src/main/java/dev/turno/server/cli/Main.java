package dev.turno.server.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code turno NOUN VERB}. */
@Command(
        name = "turno",
        description = "Every piece of work gets its turn, and one holder at a time.",
        mixinStandardHelpOptions = true,
        version = "turno 0.1.0",
        subcommands = {
            Up.class,
            InboxCommand.class,
            BufferCommand.class,
            LockCommand.class,
            TaskCommand.class,
            RunCommand.class,
            ActionCommand.class,
            NetworkCommand.class,
            HolderCommand.class,
            TokenCommand.class,
            CalendarCommand.class,
            LookCommands.Why.class,
            LookCommands.Overview.class,
            LookCommands.Audit.class,
            LookCommands.Doctor.class,
            SchemaCommand.class
        })
public final class Main implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli gives it before it calls anything
    private CommandSpec spec;

    Main() {}

    public static void main(String[] arguments) {
        int code = commandLine().execute(arguments);
        if (code != Up.RUNNING) {
            System.exit(code);
        }
    }

    public static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println("turno: " + failure.getMessage());
            return 1;
        });
        return line;
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "turno: say what to do.");
    }

    @Command(
            name = "completion",
            description = "Prints a completion script for bash and zsh: source <(./turno completion)")
    void completion() {
        spec.commandLine().getOut().print(AutoComplete.bash("turno", spec.commandLine()));
        spec.commandLine().getOut().flush();
    }
}
