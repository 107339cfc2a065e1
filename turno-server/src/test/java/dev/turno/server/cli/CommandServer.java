package dev.turno.server.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.turno.testkit.process.ChildProcess;
import dev.turno.testkit.process.Launch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The command line behind a port, for scripts: to start a JVM takes longer than most commands do. */
public final class CommandServer implements AutoCloseable {

    private static final String READY = "commands on ";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ChildProcess process;
    private final int port;

    private CommandServer(ChildProcess process) {
        this.process = process;
        this.port = Integer.parseInt(
                process.awaitLine(line -> line.startsWith(READY), PATIENCE).substring(READY.length()));
    }

    /** The process. */
    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", CommandServer::answer);
        server.start();
        System.out.println(READY + server.getAddress().getPort());
    }

    /** The server has one thread, so one command at a time has the standard output. */
    private static void answer(HttpExchange exchange) throws IOException {
        String words = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream console = System.out;
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        System.setErr(System.out);
        int code = Main.commandLine().execute(words.lines().toArray(String[]::new));
        System.setOut(console);
        exchange.sendResponseHeaders(code == 0 ? 200 : 500, 0);
        try (exchange) {
            said.writeTo(exchange.getResponseBody());
        }
    }

    /** In this folder, with this environment. */
    public static CommandServer start(Path folder, Map<String, String> environment) {
        Launch launch = Launch.main(CommandServer.class)
                .through("env", "--chdir=" + folder)
                .errorsInOutput();
        environment.forEach(launch::environment);
        return new CommandServer(launch.start());
    }

    /** A line of a shell script that runs the script's own arguments as a command, and fails if that does. */
    public String call() {
        return "printf '%s\\n' \"$@\" | curl -sS --fail-with-body --data-binary @- http://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.close();
    }
}
