package dev.turno.certification.intake;

import dev.turno.certification.sql.Sql;

/**
 * Where the locks of the workers are. The tables of the certification are one for the whole database, but locks have a namespace, and
 * their names have the operation in them: instances that differ in one of the two would not see each other's locks, and might grant
 * the same benefit twice.
 */
record Scope(String namespace, String operation) {

    private static final String SETTING = "scope";

    /** Refuses to certify beside instances of another scope. */
    void require(Sql sql) {
        String first = SharedSetting.of(sql, SETTING, toString());
        if (!first.equals(toString())) {
            throw new IllegalStateException("The certifications of this database belong to '" + first
                    + "' (turno.namespace/application.service.name), and this instance is '" + this
                    + "': both could grant the same benefit, because neither sees the other's locks. Nothing was certified. Use the"
                    + " same names, or another database. If the names were changed for good, stop all instances"
                    + " and delete the row '" + SETTING + "' of turno_certification_setting.");
        }
    }

    @Override
    public String toString() {
        return namespace + "/" + operation;
    }
}
