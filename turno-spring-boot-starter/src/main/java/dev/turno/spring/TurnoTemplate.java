package dev.turno.spring;

import dev.turno.Turno;
import dev.turno.buffer.Added;
import dev.turno.buffer.BufferMessage;
import dev.turno.buffer.Buffers;
import dev.turno.claim.Turn;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.NewMessage;
import dev.turno.inbox.PutOutcome;
import dev.turno.task.NewTask;
import dev.turno.task.ScheduleOutcome;
import dev.turno.task.Tasks;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import tools.jackson.databind.json.JsonMapper;

/**
 * Puts and finishes within Spring's transactions: what is done here in a {@code @Transactional} method happens if and when that
 * commits, and the workers are woken then. Without a transaction each call is one by itself. Shared by threads.
 *
 * <p>The doors of Turno itself ({@code turno.inbox("orders").put(...)}) always use a transaction of their own, also inside of another:
 * that is for what must stay when the caller's is rolled back.
 */
public final class TurnoTemplate {

    private final Turno turno;
    private final DataSource source;
    private final boolean commitsByItself;
    private final Transactions transactions;
    private final JsonMapper mapper;
    private final Tracing tracing;

    TurnoTemplate(Turno turno, Connections connections, Transactions transactions, JsonMapper mapper, Tracing tracing) {
        this.turno = turno;
        this.source = connections.application();
        this.commitsByItself = connections.commitsByItself();
        this.transactions = transactions;
        this.mapper = mapper;
        this.tracing = tracing;
    }

    /**
     * Stores a message under its id, once. A text is the body as it is, anything else is written as JSON.
     *
     * @throws dev.turno.inbox.MessageRefusedException if another body stands under the same id
     */
    public PutOutcome put(String inbox, String id, Object body) {
        return put(inbox, NewMessage.of(id, text(body)));
    }

    /** Stores a message, with its priority, delay and ordering key. */
    public PutOutcome put(String inbox, NewMessage message) {
        Inbox target = turno.inbox(inbox);
        return tracing.sending("inbox", inbox, trace -> {
            NewMessage traced = traced(message, trace);
            return joining(
                    connection -> target.put(connection, traced), () -> target.put(traced), new WakeInbox(target));
        });
    }

    /** Stores many messages. */
    public List<PutOutcome> putAll(String inbox, List<NewMessage> messages) {
        Inbox target = turno.inbox(inbox);
        return tracing.sending("inbox", inbox, trace -> {
            List<NewMessage> traced =
                    messages.stream().map(message -> traced(message, trace)).toList();
            return joining(
                    connection -> target.putAll(connection, traced),
                    () -> target.putAll(traced),
                    new WakeInbox(target));
        });
    }

    private static NewMessage traced(NewMessage message, Optional<String> trace) {
        return message.trace().isPresent()
                ? message
                : trace.map(message::withTrace).orElse(message);
    }

    /** Adds a message to a key of a buffer. */
    public Added add(String buffer, String key, BufferMessage message) {
        Buffers target = turno.buffers(buffer);
        List<BufferMessage> messages = List.of(message);
        return joining(
                connection -> target.add(connection, key, messages),
                () -> target.add(key, messages),
                new WakeBuffer(target));
    }

    /** Schedules a task. {@link #text} makes a body of a value. */
    public ScheduleOutcome schedule(NewTask task) {
        Tasks tasks = turno.tasks();
        return joining(
                connection -> tasks.schedule(connection, task),
                () -> tasks.schedule(task),
                new WakeTasks(tasks, task.type()));
    }

    /** A value as a body: a text as it is, anything else as JSON. */
    public String text(Object body) {
        return body instanceof String text ? text : mapper.writeValueAsString(body);
    }

    /**
     * Finishes the handler's item in the current transaction, so that its effects and the finish happen together or not at all. Call
     * it once, last, and return done.
     *
     * @throws dev.turno.claim.ClaimLostException if the claim was lost: let it roll back
     */
    public void finish(Turn turn) {
        boolean finished = isTransactionActive()
                && on(connection -> {
                    if (connection.getAutoCommit()) {
                        return false;
                    }
                    turn.finishIn(connection);
                    return true;
                });
        if (!finished) {
            throw new IllegalStateException(turn.key() + " cannot be finished here: there is no transaction of Turno's"
                    + " data source to join. Call this in a @Transactional method of that data source, or set transactional ="
                    + " true at the handler.");
        }
    }

    /**
     * False also if the transaction is one of another data source: to join it would do nothing, or commit at once. Where connections
     * commit by themselves, one that does not is in a transaction. Where they never do, one that somebody used within another's
     * transaction looks the same and is rolled back in silence; so the manager is asked.
     */
    private boolean isTransactionActive() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && (commitsByItself
                        || (TransactionSynchronizationManager.hasResource(source) && transactions.isUnderWay()));
    }

    private interface Statement<T> {
        T on(Connection connection) throws SQLException;
    }

    private <T> T joining(Statement<T> joined, Supplier<T> alone, TransactionSynchronization wake) {
        if (!isTransactionActive()) {
            return alone.get();
        }
        T answer = on(connection -> connection.getAutoCommit() ? alone.get() : joined.on(connection));
        if (TransactionSynchronizationManager.isSynchronizationActive()
                && !TransactionSynchronizationManager.getSynchronizations().contains(wake)) {
            TransactionSynchronizationManager.registerSynchronization(wake);
        }
        return answer;
    }

    private <T> T on(Statement<T> statement) {
        Connection connection = DataSourceUtils.getConnection(source);
        try {
            return statement.on(connection);
        } catch (SQLException e) {
            throw translated(e);
        } finally {
            DataSourceUtils.releaseConnection(connection, source);
        }
    }

    private static DataAccessException translated(SQLException e) {
        DataAccessException translated = new SQLExceptionSubclassTranslator().translate("Turno", null, e);
        return translated == null ? new UncategorizedSQLException("Turno", null, e) : translated;
    }

    /** Equal for the same inbox, so that a transaction wakes it once. */
    private record WakeInbox(Inbox inbox) implements TransactionSynchronization {
        @Override
        public void afterCommit() {
            inbox.wake();
        }
    }

    private record WakeTasks(Tasks tasks, String type) implements TransactionSynchronization {
        @Override
        public void afterCommit() {
            tasks.wake(type);
        }
    }

    private record WakeBuffer(Buffers buffer) implements TransactionSynchronization {
        @Override
        public void afterCommit() {
            buffer.wake();
        }
    }
}
