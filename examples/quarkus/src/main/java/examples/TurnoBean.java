package examples;

import dev.turno.Turno;
import io.agroal.api.AgroalDataSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Turno as a bean: it begins with the application, and gives back what it had not begun when that ends. */
@ApplicationScoped
class TurnoBean {

    @Produces
    @Singleton
    Turno turno(AgroalDataSource dataSource) {
        return Turno.start(dataSource);
    }

    void end(@Disposes Turno turno) {
        turno.close();
    }
}
