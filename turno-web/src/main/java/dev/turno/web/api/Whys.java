package dev.turno.web.api;

import dev.turno.Turno;
import dev.turno.buffer.KeyView;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.StoredMessage;
import dev.turno.run.RunLimits;
import dev.turno.run.RunState;
import dev.turno.run.StoredRun;
import dev.turno.task.StoredTask;
import dev.turno.task.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The explanations of the features. */
final class Whys {

    private Whys() {}

    record OfInbox(Turno turno, Names names) implements Why {

        @Override
        public String kind() {
            return "inbox";
        }

        @Override
        public List<String> explain(String id) {
            String[] nameAndId = parts(id, "inbox/NAME/ID");
            Inbox inbox = names.inbox(nameAndId[0]);
            StoredMessage message = inbox.find(nameAndId[1])
                    .orElseThrow(() -> new NotFoundException("There is no message '" + nameAndId[1] + "' in inbox '"
                            + nameAndId[0] + "'. It was never put, or its time to be kept has passed."));
            List<String> because = new ArrayList<>();
            because.add("It is " + message.state() + ", after " + attempts(message.attempt()) + ".");
            switch (message.state()) {
                case PENDING -> pending(inbox, message, because);
                case DOING ->
                    doing(
                            message.node().orElse("a process that is gone"),
                            message.heldUntil().map(Instant::toString).orElse("?"),
                            because);
                case DEAD -> {
                    because.add("Its last error: " + firstLine(message.error().orElse("none was said")));
                    because.add("Mend the cause, then revive it.");
                }
                case DONE, CANCELLED ->
                    because.add("It is over since "
                            + message.finishedAt().map(Instant::toString).orElse("?") + ".");
            }
            return because;
        }

        private void pending(Inbox inbox, StoredMessage message, List<String> because) {
            if (inbox.isPaused()) {
                because.add("The inbox is paused; resume it.");
            }
            if (message.turnAt().isEmpty()) {
                because.add("Another message of its ordering key '"
                        + message.orderingKey().orElse("") + "' goes first.");
            } else if (message.turnAt().get().isAfter(Instant.now())) {
                because.add("Its turn comes at " + message.turnAt().get()
                        + message.error()
                                .map(error -> ", after the error: " + error)
                                .orElse("") + ".");
            } else {
                because.add("Its turn came at " + message.turnAt().get() + ". There wait or run "
                        + inbox.counts().pending() + " and " + inbox.counts().doing() + " in this inbox.");
                living(turno, because);
                inbox.options()
                        .concurrency()
                        .ifPresent(limit -> because.add("At most " + limit + " run at once in the cluster."));
            }
        }
    }

    record OfBuffer(Names names) implements Why {

        @Override
        public String kind() {
            return "buffer";
        }

        @Override
        public List<String> explain(String id) {
            String[] nameAndKey = parts(id, "buffer/NAME/KEY");
            KeyView key = names.buffer(nameAndKey[0])
                    .find(nameAndKey[1])
                    .orElseThrow(() -> new NotFoundException(
                            "There is no key '" + nameAndKey[1] + "' in buffer '" + nameAndKey[0] + "'."));
            List<String> because = new ArrayList<>();
            because.add("It is " + key.state() + ": " + key.waiting() + " messages wait, " + key.inBurst()
                    + " are in a burst.");
            key.flushAt().ifPresent(at -> because.add("Those that wait are due at " + at + " if nothing else comes."));
            key.heldUntil()
                    .ifPresent(until -> doing(key.node().orElse("a process that is gone"), until.toString(), because));
            key.error()
                    .ifPresent(
                            error -> because.add("The burst's last error, in attempt " + key.attempt() + ": " + error));
            if (key.dead() > 0) {
                because.add(key.dead() + " bursts of it failed for good; they can be revived.");
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
        public List<String> explain(String name) {
            return turno.locks()
                    .holderOf(name)
                    .map(view -> List.of(
                            "It is held by " + view.node() + (view.user().isBlank() ? "" : " for " + view.user())
                                    + " since " + view.takenAt() + ", under fence " + view.fence() + ".",
                            "It lapses at " + view.until() + " unless it is renewed."))
                    .orElse(List.of("Nobody has it: anyone may take it."));
        }
    }

    record OfTask(Turno turno) implements Why {

        @Override
        public String kind() {
            return "task";
        }

        @Override
        public List<String> explain(String id) {
            StoredTask task = turno.tasks()
                    .find(number(id, "task/ID"))
                    .orElseThrow(() -> new NotFoundException("There is no task " + id + "."));
            List<String> because = new ArrayList<>();
            because.add("It is " + task.state() + " for " + task.at() + ", after " + attempts(task.attempt()) + ".");
            task.node().ifPresent(node -> because.add("It is in the share or in the hands of " + node + "."));
            task.heldUntil().ifPresent(until -> because.add("The claim on it lapses at " + until + "."));
            task.error().ifPresent(error -> because.add("Its last error: " + firstLine(error)));
            boolean waits = task.state() == TaskState.PENDING || task.state() == TaskState.ASSIGNED;
            if (waits && task.turnAt().isEmpty()) {
                because.add("Another task of its lane '" + task.lane().orElse("") + "' goes first.");
            }
            boolean stranded = turno.tasks().figures().stream()
                    .anyMatch(figures -> figures.type().equals(task.type()) && figures.runners() == 0);
            if (waits && stranded) {
                because.add("No living process runs tasks of type '" + task.type() + "': start one that does.");
            }
            return because;
        }
    }

    record OfRun(Turno turno) implements Why {

        @Override
        public String kind() {
            return "run";
        }

        @Override
        public List<String> explain(String id) {
            StoredRun run = turno.runs()
                    .find(number(id, "run/ID"))
                    .orElseThrow(() -> new NotFoundException("There is no run " + id + "."));
            List<String> because = new ArrayList<>();
            because.add("It is " + run.state() + ", a run of job '" + run.job() + "'"
                    + run.subject().map(subject -> " on " + subject).orElse("") + ".");
            run.error().ifPresent(error -> because.add("Its last error: " + firstLine(error)));
            if (run.state() == RunState.PENDING || run.state() == RunState.PARKED) {
                because.add(run.turnAt()
                        .map(at -> "Its turn comes, or came, at " + at + ".")
                        .orElse("Another run goes first in one of its lanes " + run.lanes() + "."));
                RunLimits limits = turno.runs().limits();
                because.add("At most " + limits.perCluster() + " run at once in the cluster; "
                        + turno.runs().counts().doing() + " do." + (limits.paused() ? " All runs are paused." : ""));
            }
            run.heldUntil()
                    .ifPresent(until -> doing(run.node().orElse("a process that is gone"), until.toString(), because));
            return because;
        }
    }

    private static String[] parts(String id, String form) {
        String[] parts = id.split("/", 2);
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw new IllegalArgumentException("Write it as " + form + ".");
        }
        return parts;
    }

    private static long number(String id, String form) {
        try {
            return Long.parseLong(id);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Write it as " + form + ", with the number that it has.", e);
        }
    }

    private static String attempts(int count) {
        return count == 1 ? "1 attempt" : count + " attempts";
    }

    private static void doing(String node, String until, List<String> because) {
        because.add(node + " has it. Its claim lapses at " + until + "; then anyone may take it over.");
    }

    private static void living(Turno turno, List<String> because) {
        long living =
                turno.holders().stream().filter(holder -> !holder.lapsed()).count();
        because.add(living + " processes are alive. If none of them handles this inbox, start one that does.");
    }

    /** The item itself shows all of it. */
    private static String firstLine(String error) {
        return error.lines().findFirst().orElse("");
    }
}
