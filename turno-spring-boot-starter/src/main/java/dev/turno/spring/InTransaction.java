package dev.turno.spring;

import dev.turno.claim.Result;
import dev.turno.claim.Turn;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

/** Runs a handler in a transaction and finishes its item in the same: both happen, or neither. */
record InTransaction<R>(PlatformTransactionManager manager, TurnoTemplate template, Handling<R> handler)
        implements Handling<R> {

    @Override
    public Result handle(R row, Turn turn) throws Exception {
        TransactionStatus status = manager.getTransaction(TransactionDefinition.withDefaults());
        try {
            Result result = handler.handle(row, turn);
            if (result instanceof Result.Done) {
                template.finish(turn);
                manager.commit(status);
            }
            return result;
        } finally {
            if (!status.isCompleted()) {
                manager.rollback(status);
            }
        }
    }
}
