package dev.turno.certification.intake;

import dev.turno.certification.sql.Sql;

/** Values that the first instance of all stores, and that every instance reads. */
final class SharedSetting {

    private SharedSetting() {}

    /** What is stored under the name: what the first one brought. */
    static String of(Sql sql, String name, String own) {
        Sql.addOnce(sql.call("setting.add").param("name", name).param("content", own));
        return sql.call("setting.get").param("name", name).query(String.class).single();
    }
}
