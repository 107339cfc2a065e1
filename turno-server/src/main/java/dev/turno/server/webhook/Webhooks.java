package dev.turno.server.webhook;

import dev.turno.Turno;
import dev.turno.web.sql.Dialect;
import dev.turno.worker.FinishMode;
import dev.turno.worker.Worker;
import dev.turno.worker.WorkerSettings;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The targets of a namespace: defined through any server, handled by all of them. Shared by threads; owns a thread that keeps the
 * workers of this process in step with the table.
 */
public final class Webhooks implements AutoCloseable {

    /**
     * How webhooks are run in this process.
     *
     * @param allow what may be posted to although it is not a public address: addresses, ranges, host names, each also with a port
     * @param key seals secrets in the database; the same in all servers
     * @param fixed targets from the configuration, which the API cannot change
     * @param migrate whether the table is created if it is missing
     */
    public record Options(List<String> allow, Optional<String> key, List<Target> fixed, boolean migrate) {
        public Options {
            allow = List.copyOf(allow);
            fixed = List.copyOf(fixed);
        }

        public static Options allowing(String... allow) {
            return new Options(List.of(allow), Optional.empty(), List.of(), true);
        }
    }

    /** A webhook as somebody wishes it. Without a secret, the one it has is kept, or one is drawn. */
    public record Wish(String url, Optional<String> secret, Optional<Duration> timeout, Optional<Duration> overlap) {

        public static Wish of(String url, String secret) {
            return new Wish(url, Optional.of(secret), Optional.empty(), Optional.empty());
        }
    }

    /** @param drawn the secret that was made because none was given; shown this once */
    public record Defined(Target target, Optional<Secret> drawn) {}

    /** The target stands in the configuration, where it must be changed. */
    public static final class FixedException extends RuntimeException {
        FixedException(String message) {
            super(message);
        }
    }

    /** Each option for itself is good, but not together with a webhook. */
    public static final class UnfitException extends IllegalArgumentException {
        UnfitException(String message) {
            super(message);
        }
    }

    /** How the handling of a target ends. */
    private interface Ending {

        default void stopTaking() {}

        void end(Duration atMost);
    }

    private record Running(Target target, Optional<Ending> end) {}

    private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration USUAL_OVERLAP = Duration.ofDays(1);
    private static final Duration LONGEST_OVERLAP = Duration.ofDays(30);
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    private final Turno turno;
    private final TargetTable table;
    private final AddressGuard guard;
    private final Sender sender;
    private final Map<Target.Id, Target> fixed = new LinkedHashMap<>();
    private final Map<Target.Id, Running> running = new HashMap<>(); // guarded by this
    private final Thread thread;
    private boolean begun; // guarded by this
    private volatile boolean closed;
    private boolean troubled;

    private Webhooks(Turno turno, DataSource source, String namespace, Options options, AddressGuard.Names names) {
        this.turno = turno;
        this.table = new TargetTable(source, namespace, new Seal(options.key()));
        this.guard = new AddressGuard(options.allow(), names);
        this.sender = new Sender(guard);
        options.fixed().forEach(target -> fixed.put(target.id(), target));
        this.thread = new Thread(this::loop, "turno-webhooks");
        this.thread.setDaemon(true);
        if (options.migrate()) {
            table.migrate();
        }
    }

    /** Handles nothing before {@link #begin}. */
    public static Webhooks open(Turno turno, DataSource source, String namespace, Options options) {
        return open(turno, source, namespace, options, InetAddress::getAllByName);
    }

    static Webhooks open(Turno turno, DataSource source, String namespace, Options options, AddressGuard.Names names) {
        Webhooks webhooks = new Webhooks(turno, source, namespace, options, names);
        webhooks.fixed.values().forEach(Webhooks::requireUsable);
        return webhooks;
    }

    /** The script of the table, for people and for Flyway. */
    public static String script(Dialect dialect) {
        return TargetTable.script(dialect);
    }

    /** Begins to handle what is defined, and what will be; again, after Turno was drained. */
    public synchronized void begin() {
        endAll();
        begun = true;
        synchronise();
        if (!thread.isAlive()) {
            thread.start();
        }
    }

    /** Every target, also those of the configuration. */
    public List<Target> list() {
        return List.copyOf(wanted().values());
    }

    public Optional<Target> find(Target.Id id) {
        return Optional.ofNullable(fixed.get(id)).or(() -> table.find(id));
    }

    /**
     * Defines a target instead of what stood under its name. All servers handle it so within a second or two.
     *
     * @throws IllegalArgumentException if an option, the url or the secret is unusable, or the address may not be posted to
     */
    public Defined define(Target.Id id, Map<String, String> options, Optional<Wish> wish) {
        requireNotFixed(id);
        Optional<Secret> kept = table.find(id).flatMap(Target::webhook).map(Webhook::secret);
        Optional<Secret> given = wish.flatMap(Wish::secret).map(Secret::of);
        Optional<Secret> drawn =
                wish.isPresent() && given.isEmpty() && kept.isEmpty() ? Optional.of(Secret.draw()) : Optional.empty();
        Optional<Webhook> webhook = wish.map(
                one -> webhook(one, given.or(() -> drawn).or(() -> kept).orElseThrow()));
        Target target = new Target(id.kind(), id.name(), options, webhook);
        requireUsable(target);
        webhook.ifPresent(this::requireOpen);
        table.put(target, wish.flatMap(Wish::overlap).map(Webhooks::overlap).orElse(USUAL_OVERLAP));
        synchronise();
        limitOf(target).ifPresent(limit -> turno.inbox(target.name()).limit(limit));
        return new Defined(target, drawn);
    }

    private static Webhook webhook(Wish wish, Secret secret) {
        return new Webhook(
                Webhook.url(wish.url()), wish.timeout().orElse(Webhook.USUAL_TIMEOUT), secret, Optional.empty());
    }

    private static Duration overlap(Duration wished) {
        if (wished.isNegative() || wished.compareTo(LONGEST_OVERLAP) > 0) {
            throw new IllegalArgumentException(
                    "The overlap of the secrets is " + wished + "; use zero to 30 days. Nothing was changed.");
        }
        return wished;
    }

    /** Whether this process posts it now. */
    public synchronized boolean isHandled(Target.Id id) {
        return Optional.ofNullable(running.get(id)).flatMap(Running::end).isPresent();
    }

    /** From now on the servers do not handle it; false if there was nothing to remove. */
    public boolean remove(Target.Id id) {
        requireNotFixed(id);
        Optional<Target> before = table.find(id);
        boolean removed = table.delete(id);
        synchronise();
        before.ifPresent(target -> liftUnlessSaid(target, Optional.empty()));
        return removed;
    }

    /** What is said about an inbox says its limit too, or that it has none; the other kinds have none in the cluster. */
    private static Optional<Optional<Integer>> limitOf(Target target) {
        return target.kind() == Target.Kind.INBOX
                ? Optional.of(TargetOptions.inbox(target.options()).concurrency())
                : Optional.empty();
    }

    /**
     * A limit that was said before and is not said any more. By each server: one that was slow to end its worker may have set it
     * after another one lifted it.
     */
    private void liftUnlessSaid(Target before, Optional<Target> now) {
        boolean wasSaid = limitOf(before).flatMap(limit -> limit).isPresent();
        boolean isSaid = now.flatMap(Webhooks::limitOf).flatMap(limit -> limit).isPresent();
        if (wasSaid && !isSaid) {
            turno.inbox(before.name()).limit(Optional.empty());
        }
    }

    private void requireNotFixed(Target.Id id) {
        if (fixed.containsKey(id)) {
            throw new FixedException(
                    "The " + id + " is defined in this server's configuration (turno.webhooks); change it there.");
        }
    }

    private static void requireUsable(Target target) {
        WorkerSettings work = work(target);
        if (target.webhook().isPresent() && work.finish() == FinishMode.IN_TRANSACTION) {
            throw new UnfitException("The " + target.id() + " is to be finished in its handler's transaction (finish:"
                    + " in-transaction), but a webhook has none in this database, so that nothing would ever be done. Use batched"
                    + " or at-once, or leave 'finish' out. Nothing was changed.");
        }
        Duration maxRun = work.maxRun();
        target.webhook().filter(one -> one.timeout().compareTo(maxRun) >= 0).ifPresent(one -> {
            throw new IllegalArgumentException("The webhook's timeout is " + one.timeout() + ", but a claim on the "
                    + target.id() + " lasts " + maxRun + " (max-run); use a shorter timeout. Nothing was changed.");
        });
    }

    private static WorkerSettings work(Target target) {
        return switch (target.kind()) {
            case INBOX -> TargetOptions.inbox(target.options()).work();
            case BUFFER -> TargetOptions.buffer(target.options()).work();
            case TASK -> TargetOptions.task(target.options()).work();
        };
    }

    private void requireOpen(Webhook webhook) {
        URI url = webhook.url();
        int port = url.getPort() >= 0 ? url.getPort() : url.getScheme().equalsIgnoreCase("https") ? 443 : 80;
        try {
            guard.resolve(url.getHost(), port);
        } catch (AddressGuard.RefusedException e) {
            throw new IllegalArgumentException("The webhook was not defined: " + e.getMessage(), e);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "The webhook was not defined: its host '" + url.getHost() + "' cannot be looked up now.", e);
        }
    }

    private Map<Target.Id, Target> wanted() {
        Map<Target.Id, Target> wanted = new LinkedHashMap<>();
        table.list().forEach(target -> wanted.put(target.id(), target));
        wanted.putAll(fixed);
        return wanted;
    }

    private synchronized void synchronise() {
        if (closed || !begun) {
            return;
        }
        Map<Target.Id, Target> wanted = wanted();
        List<Running> removed = running.values().stream()
                .filter(one -> !wanted.containsKey(one.target().id()))
                .toList();
        removed.forEach(one -> liftUnlessSaid(one.target(), Optional.empty()));
        endTogether(removed);
        running.values().removeAll(removed);
        wanted.values().forEach(this::handle);
    }

    private void handle(Target target) {
        Running before = running.get(target.id());
        if (before != null && before.target().equals(target)) {
            return;
        }
        if (before != null) {
            liftUnlessSaid(before.target(), Optional.of(target));
            endTogether(List.of(before));
        }
        running.put(target.id(), new Running(target, begin(target)));
    }

    /** All together have as long as one, and none of them takes anything while another one is waited for. */
    private static void endTogether(Collection<Running> over) {
        long until = System.nanoTime() + LONGEST_END.toNanos();
        // Tasks first: those of the others that wait are held back already, theirs are only at their end.
        List<Ending> ends = over.stream()
                .sorted(Comparator.comparing(one -> one.target().kind() != Target.Kind.TASK))
                .flatMap(one -> one.end().stream())
                .toList();
        ends.forEach(Ending::stopTaking);
        ends.forEach(one -> one.end(Duration.ofNanos(Math.max(0, until - System.nanoTime()))));
    }

    /** A target that cannot be handled is said once and left alone until it changes; the others do not suffer. */
    private Optional<Ending> begin(Target target) {
        try {
            requireUsable(target);
            Optional<Ending> end = switch (target.kind()) {
                case INBOX -> messages(target);
                case BUFFER -> bursts(target);
                case TASK -> tasks(target);
            };
            LOG.info(
                    "The {} is handled by {}.",
                    target.id(),
                    target.webhook().map(Webhook::toString).orElse("nobody here"));
            return end;
        } catch (IllegalArgumentException | IllegalStateException e) {
            LOG.warn("The {} cannot be handled here: {}", target.id(), e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<Ending> messages(Target target) {
        var inbox = turno.inbox(target.name(), TargetOptions.inbox(target.options()));
        return target.webhook()
                .map(webhook ->
                        ending(turno.handle(inbox, deliveries(target, webhook).ofMessages())));
    }

    private Optional<Ending> bursts(Target target) {
        var buffer = turno.buffers(target.name(), TargetOptions.buffer(target.options()));
        return target.webhook()
                .map(webhook ->
                        ending(turno.handle(buffer, deliveries(target, webhook).ofBursts())));
    }

    private Optional<Ending> tasks(Target target) {
        var options = TargetOptions.task(target.options());
        return target.webhook().map(webhook -> {
            turno.handleTasks(
                    target.name(), options, deliveries(target, webhook).ofTasks());
            return atMost -> turno.endTasks(target.name(), atMost);
        });
    }

    private static Ending ending(Worker<?> worker) {
        return new Ending() {
            @Override
            public void stopTaking() {
                worker.stopTaking();
            }

            @Override
            public void end(Duration atMost) {
                if (!worker.isClosed()) {
                    worker.close(atMost);
                }
            }
        };
    }

    private Deliveries deliveries(Target target, Webhook webhook) {
        Circuit circuit = new Circuit("The " + webhook + " of the " + target.id(), System::nanoTime);
        return new Deliveries(webhook, sender, circuit);
    }

    private void loop() {
        while (!closed) {
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
            try {
                synchronise();
                troubled = false;
            } catch (Throwable e) {
                survive(e);
            }
        }
    }

    private void survive(Throwable e) {
        if (!troubled && !closed) {
            LOG.warn("The targets could not be read; those known go on, and it is tried again: {}", e.toString());
        }
        troubled = true;
    }

    /** Takes nothing more for any target, and waits for what is under way. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        endAll();
        sender.close();
    }

    private synchronized void endAll() {
        endTogether(running.values());
        running.clear();
    }
}
