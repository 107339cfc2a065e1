/** Turno's engine and features. The SQL room is not exported. */
module dev.turno.core {
    requires transitive java.sql;
    requires transitive org.jspecify;
    requires java.management;
    requires org.slf4j;
    requires static org.postgresql.jdbc;
    requires static com.h2database;

    exports dev.turno;
    exports dev.turno.buffer;
    exports dev.turno.action;
    exports dev.turno.claim;
    exports dev.turno.holder;
    exports dev.turno.inbox;
    exports dev.turno.lock;
    exports dev.turno.task;
    exports dev.turno.run;
    exports dev.turno.time;
    exports dev.turno.watch;
    exports dev.turno.worker;
}
