package dev.turno.simulation;

import dev.turno.Turno;
import dev.turno.TurnoOptions;
import dev.turno.claim.ClaimableRows;
import dev.turno.claim.DatabaseAwayException;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.simulation.Ledger.Taking;
import dev.turno.testkit.node.SettableTime;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One run: nodes with a worker and a heartbeat each, what they are given to do, and everything that can go wrong until it is calm. */
final class World {

    /** The process was killed. */
    static final class Crash extends Error {}

    /** What is simulated. */
    interface Scene {

        /** Opens the feature in a node that has just started. */
        void open(Node node, Turno turno);

        /** Takes, handles and finishes what there is. */
        void work(Node node) throws Exception;

        /** Others who act, beside the nodes. */
        void cast(World world);

        /** How many items are not over yet, seen from outside. */
        String open();

        /** What else has to be true in the end; answers how many may be in hand at once. */
        int check(World world) throws SQLException;
    }

    static final Duration LEASE = Duration.ofSeconds(6);
    static final Duration MAX_RUN = Duration.ofSeconds(4);
    static final Instant START = Instant.parse("2026-03-02T10:00:00Z");
    private static final Duration STORM = Duration.ofSeconds(25);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    final SplittableRandom dice;
    final SettableTime time = new SettableTime(START);
    final Scheduler scheduler;
    final Ledger ledger = new Ledger();
    final Stage stage;
    private final Broken broken;
    private final Scene scene;
    private final List<Node> nodes = new ArrayList<>();
    private final Set<Long> reaped = new HashSet<>();
    private final Map<Integer, Call> calls = new HashMap<>();
    private long ids = 1_000;
    private long trace = 7;
    private @Nullable Turno outsider;
    private boolean over;
    private int acting;

    /** What the running actor's latest call has written. */
    private static final class Call {
        private long seq = Ledger.NEVER;
        private long at;
        private Ledger.Beliefs beliefs = new Ledger.Beliefs(Map.of(), Map.of());
        private boolean renewed;
    }

    World(Stage stage, Broken broken, long seed, Scene scene) {
        this.stage = stage;
        this.broken = broken;
        this.scene = scene;
        this.dice = new SplittableRandom(seed);
        this.scheduler = new Scheduler(dice.split(), time, stage.threads());
    }

    /** Runs to the end; answers what was wrong. */
    List<String> run() throws Exception {
        stage.empty();
        int count = 2 + dice.nextInt(2);
        for (int i = 0; i < count; i++) {
            Node node = new Node(i);
            nodes.add(node);
            scheduler.add("heartbeat-" + i, node::beat);
            scheduler.add("worker-" + i, node::work);
        }
        scene.cast(this);
        scheduler.add("end", this::end);
        try {
            scheduler.run();
        } catch (AssertionError e) {
            ledger.wrong(String.valueOf(e.getMessage()));
            return ledger.check(Integer.MAX_VALUE);
        }
        return ledger.check(scene.check(this));
    }

    /** The same for the same seed. */
    long trace() {
        return trace;
    }

    boolean isCalm() {
        return time.nanos() > STORM.toNanos();
    }

    boolean happens(int perMille) {
        return dice.nextInt(1_000) < perMille;
    }

    Duration upTo(Duration most) {
        return Duration.ofMillis(dice.nextLong(1, most.toMillis()));
    }

    /** Waits until there is nothing left to do. */
    private void end() throws SQLException {
        while (!over) {
            scheduler.sleep(Duration.ofSeconds(2));
            boolean late = time.nanos() > LONGEST.toNanos();
            over = late || (isCalm() && acting == 0 && stage.look(scene.open()).isEmpty());
        }
    }

    /** Somebody who acts beside the nodes, with a way of its own to the database. */
    void actor(String name, Role role) {
        acting++;
        scheduler.add(name, () -> {
            role.play(outsider());
            acting--;
        });
    }

    /** What somebody does beside the nodes. */
    interface Role {
        void play(Turno turno) throws Exception;
    }

    /** A way to the database for those who are no node. */
    private Turno outsider() throws Exception {
        if (outsider == null) {
            outsider = scheduler.quietly(() -> open("outside", new Way(stage, broken, new Climate(Optional.empty()))));
        }
        return outsider;
    }

    private Turno open(String name, Way way) {
        return Turno.open(
                way,
                TurnoOptions.defaults()
                        .withSchema(TurnoOptions.SchemaMode.NONE)
                        .withNode(name)
                        .withLease(LEASE)
                        .withTime(time)
                        .withIds(() -> new HolderId(++ids)));
    }

    /** Does it until it was answered; answers the number of the commit, or never if nothing was written. */
    long until(Callable<?> action) throws Exception {
        Call call = begin();
        for (; ; ) {
            try {
                action.call();
                return call.seq;
            } catch (DatabaseAwayException e) {
                scheduler.sleep(Duration.ofMillis(200));
            }
        }
    }

    private Call begin() {
        Call call = new Call();
        calls.put(scheduler.indexOfSelf(), call);
        return call;
    }

    private Ledger.Beliefs beliefs() {
        Map<Integer, Long> holders = new HashMap<>();
        Map<Integer, Long> until = new HashMap<>();
        for (Node node : nodes) {
            if (node.turno != null) {
                holders.put(node.index, node.turno.holder().value());
                until.put(node.index, node.believedUntil);
            }
        }
        return new Ledger.Beliefs(holders, until);
    }

    /** What goes wrong on somebody's way. */
    private final class Climate implements Way.Weather {

        private final Optional<Node> node;
        private final int life;

        private Climate(Optional<Node> node) {
            this.node = node;
            this.life = node.map(one -> one.life).orElse(0);
        }

        private boolean isStormy() {
            return !isCalm() && !scheduler.isQuiet();
        }

        private void requireAlive() {
            if (node.isPresent() && node.get().life != life) {
                throw new Crash();
            }
        }

        @Override
        public void between(Way.Link link) throws SQLException {
            scheduler.pass();
            requireAlive();
            if (isStormy() && node.isPresent() && happens(6)) {
                node.get().crash();
                throw new Crash();
            }
            if (isStormy() && happens(12)) {
                freeze(link);
            }
        }

        /** Who stands still in a transaction for too long finds it ended by the server. */
        private void freeze(Way.Link link) throws SQLException {
            Duration pause = upTo(LEASE.multipliedBy(2));
            if (link.isInTransaction() && pause.compareTo(LEASE.dividedBy(2)) > 0) {
                link.lose();
            }
            scheduler.sleep(pause);
            requireAlive();
        }

        @Override
        public boolean breaks() {
            return isStormy() && happens(15);
        }

        @Override
        public void done(String sql, List<Object> values, int changed) {
            trace = trace * 31 + scheduler.indexOfSelf() * 7L + sql.length() * 13L + changed + time.nanos();
            if (changed > 0 && sql.startsWith("update turno_holder set reaped_at")) {
                values.stream().filter(Long.class::isInstance).forEach(value -> reaped.add((Long) value));
            }
            boolean renews =
                    sql.startsWith("update turno_holder set lease_until") || sql.startsWith("insert into turno_holder");
            Call call = calls.get(scheduler.indexOfSelf());
            if (renews && changed > 0 && call != null) {
                call.renewed = true;
            }
        }

        @Override
        public void committed(boolean changed) {
            long seq = scheduler.committed();
            Call call = calls.get(scheduler.indexOfSelf());
            if (changed && call != null && call.seq == Ledger.NEVER) {
                call.seq = seq;
                call.at = time.nanos();
                call.beliefs = beliefs();
            }
        }

        @Override
        public boolean blocked() {
            boolean goesOn = scheduler.block();
            requireAlive();
            return goesOn;
        }
    }

    /** One process: it can die and start again. */
    final class Node {

        final int index;

        @Nullable
        Turno turno;

        private @Nullable Way way;
        private int life;
        private long believedUntil;
        private boolean mayHaveUnknown;

        private Node(int index) {
            this.index = index;
        }

        Turno turno() {
            if (turno == null) {
                throw new Crash();
            }
            return turno;
        }

        private void crash() throws SQLException {
            life++;
            turno = null;
            believedUntil = 0;
            if (way != null) {
                way.cut();
            }
            ledger.died(index, scheduler.commits());
        }

        private void start() {
            Way own = new Way(stage, broken, new Climate(Optional.of(this)));
            way = own;
            begin();
            long asked = time.nanos();
            Turno opened = World.this.open("node-" + index, own);
            scene.open(this, opened);
            believedUntil = asked + LEASE.toNanos();
            mayHaveUnknown = false;
            turno = opened;
        }

        private void beat() throws Exception {
            while (!over) {
                try {
                    if (turno == null) {
                        scheduler.sleep(upTo(Duration.ofSeconds(3)));
                        start();
                    }
                    long asked = time.nanos();
                    Call call = begin();
                    turno().beat();
                    believedUntil = call.renewed ? asked + LEASE.toNanos() : believedUntil;
                    scheduler.sleep(Duration.ofMillis(1_500).plus(upTo(Duration.ofSeconds(1))));
                } catch (Crash e) {
                    // It starts again.
                } catch (DatabaseAwayException e) {
                    scheduler.sleep(Duration.ofMillis(300));
                }
            }
        }

        private void work() throws Exception {
            while (!over) {
                scheduler.sleep(upTo(Duration.ofMillis(900)));
                if (turno == null) {
                    continue;
                }
                try {
                    scene.work(this);
                } catch (Crash e) {
                    // It starts again.
                } catch (DatabaseAwayException e) {
                    ledger.died(index, scheduler.commits()); // it forgets what it had, and gives it back
                    mayHaveUnknown = true;
                }
            }
        }

        /** Waits, unless the process dies meanwhile. */
        void sleep(Duration duration) {
            int before = life;
            scheduler.sleep(duration);
            if (life != before) {
                throw new Crash();
            }
        }

        void sleepUntil(Instant moment) {
            Duration left = Duration.between(time.now().orElseThrow(), moment);
            if (!left.isNegative() && !left.isZero()) {
                sleep(left);
            }
        }

        boolean happens(int perMille) {
            return World.this.happens(perMille);
        }

        Instant now() {
            return time.now().orElseThrow();
        }

        /** Takes something, and lets the ledger know. */
        <R> List<Claimed<R>> take(
                HolderId holder,
                Function<Taken<R>, Duration> lasts,
                Callable<List<Taken<R>>> asking,
                Function<Taken<R>, String> row,
                Function<Taken<R>, String> item,
                Function<Taken<R>, List<String>> content)
                throws Exception {
            boolean dead = reaped.contains(holder.value());
            long asked = time.nanos();
            Call call = begin();
            List<Claimed<R>> claimed = new ArrayList<>();
            List<Taken<R>> answer;
            try {
                answer = asking.call();
            } catch (DatabaseAwayException | Crash e) {
                ledger.tookUnknown(call.seq);
                throw e;
            }
            for (Taken<R> one : answer) {
                if (dead) {
                    ledger.wrong("declared dead before it asked, and took nevertheless: " + item.apply(one));
                }
                Taking taking = new Taking(
                        row.apply(one),
                        item.apply(one),
                        index,
                        holder.value(),
                        call.seq,
                        call.at,
                        asked + lasts.apply(one).toNanos(),
                        call.beliefs,
                        content.apply(one));
                claimed.add(new Claimed<>(one, holder, ledger.took(taking)));
            }
            return claimed;
        }

        <R> void giveBackUnknown(ClaimableRows<R> rows) {
            if (mayHaveUnknown) {
                rows.giveBackUnknown(turno().holder(), List.of());
                mayHaveUnknown = false;
            }
        }

        /** Handles what was taken, one after the other, and finishes it: mostly well. */
        <R> void handle(ClaimableRows<R> rows, List<Claimed<R>> all) {
            for (Claimed<R> one : all) {
                ledger.started(one.taking(), time.nanos());
                sleep(happens(120) ? upTo(MAX_RUN.multipliedBy(4)) : upTo(Duration.ofMillis(400)));
                if (happens(60)) {
                    giveBack(rows, one);
                } else {
                    finish(rows, one);
                }
            }
        }

        private <R> void giveBack(ClaimableRows<R> rows, Claimed<R> one) {
            try {
                rows.giveBack(one.holder(), List.of(one.taken().claim()));
            } finally {
                one.taking().outOfHandSeq = scheduler.commits();
            }
        }

        private <R> void finish(ClaimableRows<R> rows, Claimed<R> one) {
            Taking taking = one.taking();
            Verdict verdict = verdict(one.taken());
            taking.end = verdict instanceof Verdict.Done
                    ? Ledger.End.DONE
                    : verdict instanceof Verdict.Dead ? Ledger.End.DEAD : Ledger.End.AGAIN;
            Optional<Finish> answer = Optional.empty();
            while (answer.isEmpty()) {
                Call call = begin();
                try {
                    answer = Optional.of(
                                    rows.finish(one.holder(), List.of(verdict)).get(0))
                            .filter(finish -> !(finish instanceof Finish.Open));
                } catch (DatabaseAwayException e) {
                    // Asked again.
                } finally {
                    written(taking, call);
                }
                if (answer.isEmpty()) {
                    sleep(upTo(Duration.ofSeconds(2)));
                }
            }
            taking.outOfHandSeq = taking.outOfHandSeq == Ledger.NEVER ? scheduler.commits() : taking.outOfHandSeq;
            taking.answered = true;
            judge(taking, answer.get());
        }

        private void written(Taking taking, Call call) {
            if (taking.wroteSeq == Ledger.NEVER && call.seq != Ledger.NEVER) {
                taking.wroteSeq = call.seq;
                taking.outOfHandSeq = call.seq;
            }
        }

        private void judge(Taking taking, Finish answer) {
            if (answer instanceof Finish.Kept && taking.wroteSeq == Ledger.NEVER) {
                ledger.wrong("called kept, and nothing was written: " + taking);
            }
            if (answer instanceof Finish.Lost && taking.wroteSeq != Ledger.NEVER) {
                ledger.calledLost(taking);
            }
        }

        private <R> Verdict verdict(Taken<R> taken) {
            int roll = dice.nextInt(100);
            if (roll < 80 || isCalm()) {
                return new Verdict.Done(taken.claim());
            }
            return roll < 94
                    ? new Verdict.Again(taken.claim(), upTo(Duration.ofSeconds(3)), "again")
                    : new Verdict.Dead(taken.claim(), "hopeless");
        }
    }

    /** A claim with what the ledger knows of it. */
    record Claimed<R>(Taken<R> taken, HolderId holder, Taking taking) {}
}
