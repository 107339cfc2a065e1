package dev.turno.harvester.harvest;

import java.sql.Connection;
import java.sql.SQLException;

/** Something that a harvest has got and that is written down in the transaction which moves it on. May be written again. */
@FunctionalInterface
interface Gathered {

    void write(Connection connection) throws SQLException;
}
