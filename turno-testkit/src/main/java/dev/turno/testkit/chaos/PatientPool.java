package dev.turno.testkit.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.util.DriverDataSource;
import dev.turno.PatientSource;
import dev.turno.testkit.database.FreshDatabase;
import java.util.Properties;

/** For pools as the starter makes them: what is measured after an outage is not how long Hikari rests. */
final class PatientPool {

    private PatientPool() {}

    static HikariConfig of(String url, String user, String password) {
        HikariConfig config = FreshDatabase.poolOf(url, user, password);
        config.setDataSource(new PatientSource(new DriverDataSource(url, null, new Properties(), user, password)));
        return config;
    }
}
