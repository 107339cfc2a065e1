package dev.turno.testkit.database;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The databases that Turno runs on. Threads may share them. */
public enum TestDatabase {
    H2,
    POSTGRESQL,
    MARIADB;

    /**
     * Restricts the tests to some databases: {@code -Dturno.test.databases=h2,postgresql}. With {@code pgbouncer} they run on
     * PostgreSQL, reached through {@link PgBouncer}.
     */
    static final String CHOICE = "turno.test.databases";

    /** An empty database of the caller's own, to be closed. H2's lives in the memory of this JVM. */
    public FreshDatabase fresh() {
        return this == H2 ? H2Engine.inMemory() : freshOnServer();
    }

    /** An empty database that other processes can reach as well; for PostgreSQL and MariaDB that is any. */
    public FreshDatabase freshOnServer() {
        return this == POSTGRESQL && PgBouncer.isChosen()
                ? SharedServers.pgBouncer().fresh()
                : SharedServers.of(this).fresh();
    }

    /** A server for the caller alone, who may crash it and has to close it. H2's writes to a file. */
    public RestartableServer newServer() {
        return RestartableServer.start(this, engine());
    }

    /** The same on a disk of its own, in memory, which {@link RestartableServer#fillDisk} can fill. Needs root, on Linux. */
    public RestartableServer newServer(int megabytes) {
        return RestartableServer.startOnSmallDisk(this, engine(), megabytes);
    }

    private Engine engine() {
        return switch (this) {
            case H2 -> new H2Engine();
            case POSTGRESQL -> new PostgreSqlEngine();
            case MARIADB -> new MariaDbEngine();
        };
    }

    /** Those that this run of the tests is for: all of them, unless {@value #CHOICE} says otherwise. */
    static Set<TestDatabase> chosen() {
        return chosenBy(System.getProperty(CHOICE, ""));
    }

    static Set<TestDatabase> chosenBy(String choice) {
        var chosen = EnumSet.noneOf(TestDatabase.class);
        for (String name : choice.split(",", -1)) {
            if (!name.isBlank()) {
                chosen.add(named(name.strip()));
            }
        }
        return chosen.isEmpty() ? EnumSet.allOf(TestDatabase.class) : chosen;
    }

    private static TestDatabase named(String name) {
        if (name.equalsIgnoreCase(PgBouncer.CHOICE)) {
            return POSTGRESQL;
        }
        return Arrays.stream(values())
                .filter(each -> each.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("-D" + CHOICE + " names '" + name
                        + "'. Use one or more of "
                        + Arrays.toString(values()).toLowerCase(Locale.ROOT) + " or " + PgBouncer.CHOICE
                        + ", with commas between."));
    }
}
