package dev.turno.testkit.chaos;

/** What can happen to a process or to the database. */
public enum Fault {
    /** The process is killed with -9, and another one starts in its place. */
    KILL(1),
    /** The same, but the clock of the new process is hours wrong. Needs the program {@code faketime}. */
    SKEW(1),
    /** The process stands still, and goes on as if no time had passed. */
    FREEZE(4),
    /** Nothing comes through between the process and the database; what was on its way arrives later. */
    PARTITION(4),
    /** Requests come through, answers do not, and the connections end so: what was committed is not known to be. */
    LOST_ANSWERS(4),
    /** All connections of the process are reset. */
    RESET(4),
    /** The way to the database is slow. */
    DELAY(2),
    /** All connections of the process's pool are taken by somebody else. */
    STARVE(2),
    /** The database ends the sessions of all processes. Not on H2. */
    SESSIONS(2),
    /** The database is killed with -9 and started again. */
    DATABASE_KILL(1),
    /** The database's disk is full for a while, then the server is started again. Needs {@link Chaos.Setup#smallDisk}. */
    DISK_FULL(1);

    private final int weight;

    Fault(int weight) {
        this.weight = weight;
    }

    /** How often it comes, beside the others. */
    int weight() {
        return weight;
    }

    /** Whether it is over by itself when a process or the server has been replaced, and time is left for the others to take over. */
    boolean endsAProcess() {
        return this == KILL || this == SKEW || isOfTheServer();
    }

    boolean isOfTheServer() {
        return this == DATABASE_KILL || this == DISK_FULL;
    }

    /** Whether it matters if it lasts for longer than the lease. */
    boolean canOutlastTheLease() {
        return this == FREEZE || this == PARTITION || this == LOST_ANSWERS || this == STARVE;
    }
}
