package dev.turno.server.cli;

import dev.turno.server.TurnoServer;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = "Starts the server. TURNO_ADMIN_TOKEN sets the first admin token instead of a random one.")
final class Up implements Callable<Integer> {

    /** Not an exit code: the server's own threads go on. */
    static final int RUNNING = -1;

    @Option(names = "--port", defaultValue = "8080", description = "Where to listen (${DEFAULT-VALUE}).")
    private int port;

    @Option(names = "--address", defaultValue = "127.0.0.1", description = "On which address (${DEFAULT-VALUE}).")
    private String address = "";

    @Option(
            names = "--data",
            defaultValue = "./data",
            description = "The folder of the embedded database and of what is harvested (${DEFAULT-VALUE}).")
    private Path data = Path.of("");

    @Option(names = "--db", description = "The JDBC URL of a PostgreSQL or MariaDB instead.")
    private @Nullable String db;

    @Option(names = "--db-user", description = "Its account.")
    private @Nullable String dbUser;

    @Option(
            names = "--db-password",
            description = "Its password. Others on this machine can see it; TURNO_DB_PASSWORD is better.")
    private @Nullable String dbPassword;

    @Option(names = "--node", description = "The name under which people see this process.")
    private @Nullable String node;

    @Option(
            names = "--demo",
            description = "Sample traffic, two repositories to harvest, and a second node in this process.")
    private boolean demo;

    @Option(names = "--set", description = "Any other property.", paramLabel = "NAME=VALUE")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Override
    public Integer call() throws IOException {
        long start = System.nanoTime();
        SpringApplication application = new SpringApplication(TurnoServer.class);
        String[] arguments = properties().entrySet().stream()
                .map(entry -> "--" + entry.getKey() + "=" + entry.getValue())
                .toArray(String[]::new);
        try {
            ConfigurableApplicationContext context = application.run(arguments);
            System.out.printf(
                    "Turno is ready on http://%s:%s after %.1f s.%n",
                    address,
                    context.getEnvironment().getProperty("local.server.port"),
                    (System.nanoTime() - start) / 1e9);
            return RUNNING;
        } catch (RuntimeException e) {
            throw new IllegalStateException("it was not started. " + reason(e), e);
        }
    }

    private Map<String, Object> properties() throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("server.port", port);
        all.put("server.address", address);
        all.put("spring.datasource.url", db != null ? db : embedded());
        putUnlessNull(all, "spring.datasource.username", db != null ? dbUser : "sa");
        putUnlessNull(
                all,
                "spring.datasource.password",
                dbPassword != null ? dbPassword : System.getenv("TURNO_DB_PASSWORD"));
        putUnlessNull(all, "turno.node", node);
        all.put("turno.harvester.folder", data.toAbsolutePath().normalize().resolve("harvest"));
        if (demo) {
            all.put("turno.demo", true);
            all.put("turno.harvester.open", true);
        }
        all.putAll(properties);
        return all;
    }

    private static void putUnlessNull(Map<String, Object> all, String name, @Nullable Object value) {
        if (value != null) {
            all.put(name, value);
        }
    }

    /** Every commit is on the disk before it is answered, and the database stays open until the last claim is given back. */
    private String embedded() throws IOException {
        if (Files.notExists(data)) {
            Files.createDirectories(data, forTheOwnerAlone());
        }
        return "jdbc:h2:async:" + data.toAbsolutePath().normalize().resolve("turno")
                + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
    }

    /** The bodies of messages are in it. */
    private static FileAttribute<?>[] forTheOwnerAlone() {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }

    /** The innermost sentence: the outer ones are Spring's. */
    private static String reason(Throwable failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        return String.valueOf(innermost.getMessage());
    }
}
