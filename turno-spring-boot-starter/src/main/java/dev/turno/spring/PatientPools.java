package dev.turno.spring;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import dev.turno.PatientSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Lets the application's own Hikari pools try to reach a server that is away ten times a second, as Turno's pool does by itself. Declare
 * it as a static bean. A pool that Hikari connects by the name of a class or of a directory stays as it is.
 */
public final class PatientPools implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof HikariDataSource pool && !pool.isRunning()) {
            makePatient(pool);
        }
        return bean;
    }

    static void makePatient(HikariConfig config) {
        DataSource source = config.getDataSource();
        if (source == null && config.getJdbcUrl() != null && config.getDataSourceClassName() == null) {
            source = new DriverDataSource(
                    config.getJdbcUrl(),
                    config.getDriverClassName(),
                    config.getDataSourceProperties(),
                    config.getUsername(),
                    config.getPassword());
        }
        if (source != null) {
            config.setDataSource(new PatientSource(source));
        }
    }
}
