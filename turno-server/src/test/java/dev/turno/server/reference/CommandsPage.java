package dev.turno.server.reference;

import dev.turno.server.cli.Main;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Every command of the command line, as its own help explains it. */
final class CommandsPage {

    private CommandsPage() {}

    static String drawn() {
        StringBuilder page = new StringBuilder("""
                # Commands

                What `./turno COMMAND --help` prints. How to use them is in [the command line](../cli.md).
                """);
        Main.commandLine().getSubcommands().values().forEach(command -> add(page, command));
        return page.toString();
    }

    private static void add(StringBuilder page, CommandLine command) {
        page.append("\n## %s\n".formatted(command.getCommandName()));
        help(page, command);
        command.getSubcommands().values().forEach(verb -> help(page, verb));
    }

    private static void help(StringBuilder page, CommandLine command) {
        String text = command.setUsageHelpWidth(120).getUsageMessage(Ansi.OFF).replaceAll("(?m) +$", "");
        page.append("\n```text\n").append(text.strip()).append("\n```\n");
    }
}
