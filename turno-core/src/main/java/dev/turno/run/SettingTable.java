package dev.turno.run;

import dev.turno.lane.Slots;
import dev.turno.sql.Database;
import dev.turno.sql.Row;
import java.sql.SQLException;

/** What holds for all runs of a namespace, in the whole cluster. */
final class SettingTable {

    record Setting(long scope, int perCluster, int maxQueued, boolean paused) {}

    private final Database database;
    private final String namespace;

    SettingTable(Database database, String namespace) {
        this.database = database;
        this.namespace = namespace;
        database.statements().require("run.define", "run.setting", "run.pause");
        database.statements().require("run.limit-concurrency", "run.limit-queued");
    }

    /** The setting of the namespace, with its slots, made when first used. */
    Setting define() {
        database.once(
                "The runs of namespace '" + namespace + "' could not be defined.",
                session -> session.sql("run.define").set("namespace", namespace).insertUnlessThere());
        Setting setting = read();
        database.transaction("The slots of runs could not be made.", session -> {
            slots(setting.scope()).add(session, setting.perCluster());
            return setting;
        });
        return setting;
    }

    private Slots slots(long scope) {
        return new Slots("run", scope, database.statements());
    }

    Setting read() {
        return database.once(
                "The limits of runs could not be read.",
                session -> session.sql("run.setting")
                        .set("namespace", namespace)
                        .first(SettingTable::setting)
                        .orElseThrow());
    }

    private static Setting setting(Row row) throws SQLException {
        return new Setting(
                row.longValue("id"),
                row.intValue("concurrency"),
                row.intValue("max_queued"),
                row.booleanValue("paused"));
    }

    void limit(long scope, Slots slots, int perCluster) {
        database.transaction("The limit of runs was not changed.", session -> {
            slots.add(session, perCluster);
            return session.sql("run.limit-concurrency")
                    .set("scope", scope)
                    .set("concurrency", perCluster)
                    .update();
        });
    }

    void limitQueued(long scope, int maxQueued) {
        database.once(
                "The limit of queued runs was not changed.",
                session -> session.sql("run.limit-queued")
                        .set("scope", scope)
                        .set("max_queued", maxQueued)
                        .update());
    }

    void pause(long scope, boolean paused) {
        database.once(
                "The runs were not " + (paused ? "paused." : "resumed."),
                session -> session.sql("run.pause")
                        .set("scope", scope)
                        .set("paused", paused)
                        .update());
    }
}
