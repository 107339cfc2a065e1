package dev.turno.web.api;

import dev.turno.Turno;
import dev.turno.buffer.KeyView;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.StoredMessage;
import dev.turno.lock.LockView;
import dev.turno.run.RunLimits;
import dev.turno.run.RunState;
import dev.turno.run.StoredRun;
import dev.turno.task.StoredTask;
import dev.turno.task.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The explanations of the features. */
final class Whys {

    private static final int MOST_RUNS = 200;

    private Whys() {}

    record OfInbox(Turno turno, Names names) implements Why {

        @Override
        public String kind() {
            return "inbox";
        }

        @Override
        public List<Said> explain(String id) {
            String[] nameAndId = parts(id, "inbox/NAME/ID", names::hasInbox);
            Inbox inbox = names.inbox(nameAndId[0]);
            StoredMessage message = inbox.find(nameAndId[1])
                    .orElseThrow(() -> new NotFoundException("There is no message '" + nameAndId[1] + "' in inbox '"
                            + nameAndId[0] + "'. It was never put, or its time to be kept has passed."));
            List<Said> because = new ArrayList<>();
            because.add(Said.of(
                    "state",
                    "It is {state}; attempts so far: {attempts}.",
                    "state",
                    message.state(),
                    "attempts",
                    message.attempt()));
            switch (message.state()) {
                case PENDING -> pending(inbox, message, because);
                case DOING -> doing(message.node(), message.heldUntil(), because);
                case DEAD -> {
                    error(message.error(), because);
                    because.add(Said.of("mend", "Mend the cause, then revive it."));
                }
                case DONE, CANCELLED ->
                    message.finishedAt()
                            .ifPresent(at -> because.add(Said.of("over", "It is over since {at}.", "at", at)));
            }
            return because;
        }

        private void pending(Inbox inbox, StoredMessage message, List<Said> because) {
            if (inbox.isPaused()) {
                because.add(Said.of("paused", "The inbox is paused; resume it."));
            }
            Optional<Instant> turnAt = message.turnAt();
            if (turnAt.isEmpty()) {
                because.add(Said.of(
                        "key.behind",
                        "Another message of its ordering key '{key}' goes first.",
                        "key",
                        message.orderingKey().orElse("")));
            } else if (turnAt.get().isAfter(Instant.now())) {
                because.add(Said.of("turn.later", "Its turn comes at {at}.", "at", turnAt.get()));
                error(message.error(), because);
            } else {
                because.add(Said.of("turn.came", "Its turn came at {at}.", "at", turnAt.get()));
                var counts = inbox.counts();
                because.add(Said.of(
                        "inbox.counts",
                        "In this inbox {pending} wait and {doing} are under way.",
                        "pending",
                        counts.pending(),
                        "doing",
                        counts.doing()));
                living(turno, because);
                inbox.concurrency()
                        .ifPresent(limit -> because.add(
                                Said.of("inbox.limit", "At most {n} run at once in the cluster.", "n", limit)));
            }
        }
    }

    record OfBuffer(Names names) implements Why {

        @Override
        public String kind() {
            return "buffer";
        }

        @Override
        public List<Said> explain(String id) {
            String[] nameAndKey = parts(id, "buffer/NAME/KEY", names::hasBuffer);
            KeyView key = names.buffer(nameAndKey[0])
                    .find(nameAndKey[1])
                    .orElseThrow(() -> new NotFoundException(
                            "There is no key '" + nameAndKey[1] + "' in buffer '" + nameAndKey[0] + "'."));
            List<Said> because = new ArrayList<>();
            because.add(Said.of(
                    "buffer.state",
                    "It is {state}: {waiting} messages wait, {burst} are in a burst.",
                    "state",
                    key.state(),
                    "waiting",
                    key.waiting(),
                    "burst",
                    key.inBurst()));
            key.flushAt()
                    .ifPresent(at -> because.add(Said.of(
                            "buffer.flush", "Those that wait are due at {at} if nothing else comes.", "at", at)));
            key.heldUntil().ifPresent(until -> doing(key.node(), Optional.of(until), because));
            key.error()
                    .ifPresent(error -> because.add(Said.of(
                            "buffer.error",
                            "The burst's last error, in attempt {attempt}: {error}",
                            "attempt",
                            key.attempt(),
                            "error",
                            firstLine(error))));
            if (key.dead() > 0) {
                because.add(Said.of(
                        "buffer.dead", "{n} bursts of it failed for good; they can be revived.", "n", key.dead()));
            }
            return because;
        }
    }

    record OfLock(Turno turno) implements Why {

        @Override
        public String kind() {
            return "lock";
        }

        @Override
        public List<Said> explain(String name) {
            return turno.locks()
                    .holderOf(name)
                    .map(OfLock::held)
                    .orElse(List.of(Said.of("lock.free", "Nobody has it: anyone may take it.")));
        }

        private static List<Said> held(LockView lock) {
            String who = lock.user().isBlank() ? lock.node() : lock.node() + " (" + lock.user() + ")";
            return List.of(
                    Said.of(
                            "lock.held",
                            "It is held by {who} since {since}, under fence {fence}.",
                            "who",
                            who,
                            "since",
                            lock.takenAt(),
                            "fence",
                            lock.fence()),
                    Said.of("lock.lapses", "It lapses at {at} unless it is renewed.", "at", lock.until()));
        }
    }

    record OfTask(Turno turno) implements Why {

        @Override
        public String kind() {
            return "task";
        }

        @Override
        public List<Said> explain(String id) {
            StoredTask task = turno.tasks()
                    .find(number(id, "task/ID"))
                    .orElseThrow(() -> new NotFoundException("There is no task " + id + "."));
            List<Said> because = new ArrayList<>();
            because.add(Said.of(
                    "task.state",
                    "It is {state} for {at}; attempts so far: {attempts}.",
                    "state",
                    task.state(),
                    "at",
                    task.at(),
                    "attempts",
                    task.attempt()));
            task.node()
                    .ifPresent(node -> because.add(
                            Said.of("task.share", "It is in the share or in the hands of {node}.", "node", node)));
            task.heldUntil()
                    .ifPresent(until -> because.add(Said.of("lapses", "The claim on it lapses at {at}.", "at", until)));
            error(task.error(), because);
            boolean waits = task.state() == TaskState.PENDING || task.state() == TaskState.ASSIGNED;
            if (waits && task.turnAt().isEmpty()) {
                because.add(Said.of(
                        "task.behind",
                        "Another task of its lane '{lane}' goes first.",
                        "lane",
                        task.lane().orElse("")));
            }
            if (waits && isStranded(task.type())) {
                because.add(Said.of(
                        "task.stranded",
                        "No living process runs tasks of type '{type}': start one that does.",
                        "type",
                        task.type()));
            }
            return because;
        }

        private boolean isStranded(String type) {
            return turno.tasks()
                    .figures(type)
                    .filter(figures -> figures.runners() == 0)
                    .isPresent();
        }
    }

    record OfRun(Turno turno) implements Why {

        @Override
        public String kind() {
            return "run";
        }

        @Override
        public List<Said> explain(String id) {
            StoredRun run = turno.runs()
                    .find(number(id, "run/ID"))
                    .orElseThrow(() -> new NotFoundException("There is no run " + id + "."));
            List<Said> because = new ArrayList<>();
            because.add(Said.of(
                    "run.state", "It is {state}, a run of job '{job}'.", "state", run.state(), "job", run.job()));
            error(run.error(), because);
            if (run.state() == RunState.PENDING || run.state() == RunState.PARKED) {
                waiting(run, because);
            }
            run.heldUntil().ifPresent(until -> doing(run.node(), Optional.of(until), because));
            return because;
        }

        private void waiting(StoredRun run, List<Said> because) {
            run.turnAt()
                    .ifPresentOrElse(
                            at -> because.add(Said.of("run.turn", "Its turn comes, or came, at {at}.", "at", at)),
                            () -> because.add(ahead(run)));
            RunLimits limits = turno.runs().limits();
            because.add(Said.of(
                    "run.limit",
                    "At most {n} run at once in the cluster; {doing} do.",
                    "n",
                    limits.perCluster(),
                    "doing",
                    turno.runs().counts().doing()));
            if (limits.paused()) {
                because.add(Said.of("run.paused", "All runs are paused."));
            }
        }

        /** Whoever has one of its lanes, if it is among those under way. */
        private Said ahead(StoredRun run) {
            for (StoredRun other : turno.runs()
                    .list(RunState.DOING, Optional.empty(), MOST_RUNS)
                    .items()) {
                for (String lane : run.lanes()) {
                    if (other.lanes().contains(lane)) {
                        return Said.of(
                                "run.lane",
                                "Lane '{lane}' is held by run {run} on {node} since {since}.",
                                "lane",
                                lane,
                                "run",
                                other.id(),
                                "node",
                                other.node().orElse("?"),
                                "since",
                                other.startedAt().orElse(other.submittedAt()));
                    }
                }
            }
            return Said.of(
                    "run.behind",
                    "Another run goes first in one of its lanes: {lanes}.",
                    "lanes",
                    String.join(", ", run.lanes()));
        }
    }

    /** Names can have slashes too: the shortest beginning that is one, or the first part. */
    private static String[] parts(String id, String form, Predicate<String> isName) {
        int first = id.indexOf('/');
        if (first < 1 || first == id.length() - 1) {
            throw new IllegalArgumentException("Write it as " + form + ".");
        }
        for (int end = first; end > 0 && end < id.length() - 1; end = id.indexOf('/', end + 1)) {
            if (isName.test(id.substring(0, end))) {
                return new String[] {id.substring(0, end), id.substring(end + 1)};
            }
        }
        return id.split("/", 2);
    }

    private static long number(String id, String form) {
        try {
            return Long.parseLong(id);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Write it as " + form + ", with the number that it has.", e);
        }
    }

    private static void doing(Optional<String> node, Optional<Instant> until, List<Said> because) {
        because.add(node.map(name -> Said.of("held", "{node} has it.", "node", name))
                .orElse(Said.of("held.gone", "A process that is gone has it.")));
        until.ifPresent(at -> because.add(
                Said.of("lapses.then", "The claim on it lapses at {at}; then anyone may take it over.", "at", at)));
    }

    private static void living(Turno turno, List<Said> because) {
        long living =
                turno.holders().stream().filter(holder -> !holder.lapsed()).count();
        because.add(Said.of(
                "living",
                "{n} processes are alive. If none of them handles this inbox, start one that does.",
                "n",
                living));
    }

    private static void error(Optional<String> error, List<Said> because) {
        error.ifPresent(text -> because.add(Said.of("error", "Its last error: {error}", "error", firstLine(text))));
    }

    /** The item itself shows all of it. */
    private static String firstLine(String error) {
        return error.lines().findFirst().orElse("");
    }
}
