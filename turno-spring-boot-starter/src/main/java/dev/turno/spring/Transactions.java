package dev.turno.spring;

import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;

/** The application's transaction managers, of which one is Turno's. */
record Transactions(DataSource source, ObjectProvider<PlatformTransactionManager> managers) {

    /**
     * That of Turno's own data source; else the only or primary one, if it does not belong to another data source: JPA's, for
     * example, names none.
     */
    Optional<PlatformTransactionManager> ofTurno() {
        List<PlatformTransactionManager> own = managers.stream()
                .filter(manager ->
                        resource(manager).filter(one -> one == source).isPresent())
                .toList();
        return own.size() == 1
                ? Optional.of(own.get(0))
                : Optional.ofNullable(managers.getIfUnique())
                        .filter(manager -> resource(manager)
                                .filter(DataSource.class::isInstance)
                                .isEmpty());
    }

    /** Whether this thread is in a transaction of a manager that can be Turno's. */
    boolean isUnderWay() {
        return managers.stream()
                .filter(manager -> resource(manager)
                        .filter(DataSource.class::isInstance)
                        .filter(one -> one != source)
                        .isEmpty())
                .anyMatch(Transactions::isUnderWay);
    }

    /** To take part in a transaction and do nothing changes nothing, and is refused where there is none. */
    private static boolean isUnderWay(PlatformTransactionManager manager) {
        try {
            manager.commit(manager.getTransaction(
                    new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY)));
            return true;
        } catch (IllegalTransactionStateException e) {
            return false;
        }
    }

    private static Optional<Object> resource(PlatformTransactionManager manager) {
        return manager instanceof ResourceTransactionManager known
                ? Optional.ofNullable(known.getResourceFactory())
                : Optional.empty();
    }
}
