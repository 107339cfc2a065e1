package dev.turno.server.external;

import dev.turno.Turno;
import dev.turno.claim.Claim;
import dev.turno.claim.Finish;
import dev.turno.claim.HolderId;
import dev.turno.claim.Result;
import dev.turno.claim.Taken;
import dev.turno.claim.Verdict;
import dev.turno.inbox.ClaimedMessage;
import dev.turno.inbox.Inbox;
import dev.turno.inbox.InboxState;
import dev.turno.inbox.Message;
import dev.turno.worker.ErrorText;
import dev.turno.worker.WorkerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.context.SmartLifecycle;

/**
 * Take, renew and finish for workers outside. Shared by threads; owns the thread that serves those who wait.
 *
 * <p>A worker is known by its token and a name of its choice. Two processes of one token and one name are one worker: they can finish
 * each other's messages.
 */
public final class ExternalWorkers implements SmartLifecycle {

    public static final int MOST_TAKEN = 100;
    public static final int MOST_PRESENTED = 1_000;
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    private static final Duration POSTPONED = Duration.ofSeconds(1);
    private static final String LOCKED =
            "It, or one that was presented with it, could not be renewed because somebody has it locked at this moment. Renew it again.";

    private final Turno turno;
    private final Guests guests;
    private final WaitingRoom waiting;
    private final Reports reports;

    public ExternalWorkers(Turno turno) {
        this(turno, System::nanoTime);
    }

    ExternalWorkers(Turno turno, LongSupplier nanos) {
        this.turno = turno;
        this.guests = new Guests(turno, nanos);
        this.waiting = new WaitingRoom(this::takeNow, this::giveBack);
        this.reports = new Reports(turno.watcher());
    }

    /**
     * Takes up to {@code limit} messages; if there are none, as soon as there are some within {@code wait}, else nothing. If the
     * caller has gone away, cancel the future: what was taken meanwhile goes back.
     */
    public CompletableFuture<List<Taken<Message>>> take(String inbox, WorkerName worker, int limit, Duration wait) {
        requireBetween("limit", limit, 1, MOST_TAKEN);
        if (wait.isNegative() || wait.compareTo(LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException("The wait is " + wait + "; use zero to " + LONGEST_WAIT + ".");
        }
        WaitingRoom.Wish wish = new WaitingRoom.Wish(inbox, worker, limit);
        List<Taken<Message>> taken = takeNow(wish);
        return taken.isEmpty() && !wait.isZero() ? waiting.enter(wish, wait) : CompletableFuture.completedFuture(taken);
    }

    private List<Taken<Message>> takeNow(WaitingRoom.Wish wish) {
        Inbox inbox = turno.inbox(wish.inbox());
        WorkerSettings work = inbox.options().work();
        HolderId holder = guests.holderFor(wish.worker(), work.longestClaim());
        List<Taken<Message>> taken = inbox.take(holder, wish.limit());
        reports.taken(inbox, taken.size());
        List<Reports.Written> usedUp = taken.stream()
                .filter(one -> one.attempt() > work.maxAttempts())
                .map(one -> parked(one, work))
                .toList();
        if (usedUp.isEmpty()) {
            return taken;
        }
        // Each earlier attempt ended without a word: it may be what kills its worker. It is not handed out again.
        List<Finish> finishes = write(inbox, holder, usedUp);
        postpone(inbox, holder, open(usedUp, finishes));
        return taken.stream().filter(one -> one.attempt() <= work.maxAttempts()).toList();
    }

    /** To be parked at a later take. Not given back at once: it would be the first again, and who takes one at a time got no other. */
    private static void postpone(Inbox inbox, HolderId holder, List<Verdict> open) {
        if (!open.isEmpty()) {
            inbox.rows()
                    .finish(
                            holder,
                            open.stream()
                                    .map(one -> new Verdict.Again(one.claim(), POSTPONED, one.error()))
                                    .toList());
        }
    }

    /** Those that were not written, because somebody holds their ordering keys. */
    private static List<Verdict> open(List<Reports.Written> all, List<Finish> finishes) {
        return IntStream.range(0, all.size())
                .filter(i -> finishes.get(i) instanceof Finish.Open)
                .mapToObj(i -> all.get(i).verdict())
                .toList();
    }

    private List<Finish> write(Inbox inbox, HolderId holder, List<Reports.Written> all) {
        List<Finish> finishes = inbox.rows()
                .finish(holder, all.stream().map(Reports.Written::verdict).toList());
        reports.finished(inbox, all, finishes);
        return finishes;
    }

    private static Reports.Written parked(Taken<Message> one, WorkerSettings work) {
        Verdict dead = new Verdict.Dead(one.claim(), usedUp(work));
        return new Reports.Written(one.row().id(), one.key(), one.attempt(), dead);
    }

    private static String usedUp(WorkerSettings work) {
        return "All " + work.maxAttempts()
                + " attempts ended without a result: each time the worker died or took longer than " + work.maxRun()
                + ". It was not handed out again.";
    }

    private void giveBack(WaitingRoom.Wish wish, List<Taken<Message>> taken) {
        Inbox inbox = turno.inbox(wish.inbox());
        HolderId holder = guests.holderFor(wish.worker(), inbox.options().work().longestClaim());
        int given =
                inbox.rows().giveBack(holder, taken.stream().map(Taken::claim).toList());
        reports.givenBack(inbox, given);
    }

    /** How long a claim lasts that is taken or renewed now. */
    public Duration maxRun(String inbox) {
        return turno.inbox(inbox).options().work().maxRun();
    }

    private static void requireEachOnce(List<Presented> presented) {
        requireBetween("number of messages", presented.size(), 1, MOST_PRESENTED);
        Set<String> ids = new HashSet<>();
        presented.stream().filter(one -> !ids.add(one.id())).findFirst().ifPresent(one -> {
            throw new IllegalArgumentException(
                    "Message '" + one.id() + "' is presented twice at once. Nothing was changed; present it once.");
        });
    }

    /** Prolongs claims: each lasts the maximum run time from now, if it is still the worker's. */
    public List<Outcome> renew(String inboxName, WorkerName worker, List<Presented> presented) {
        Inbox inbox = turno.inbox(inboxName);
        requireEachOnce(presented);
        Map<String, Outcome> outcomes = refused(inbox, worker, presented);
        List<Presented> good = without(outcomes, presented);
        if (!good.isEmpty()) {
            HolderId holder = guests.holderFor(worker, inbox.options().work().longestClaim());
            Map<String, ClaimedMessage> found = find(inbox, good);
            List<Claim> claims = good.stream().map(one -> claim(one, found)).toList();
            boolean all = inbox.renew(holder, claims) == claims.size();
            outcomes.putAll(refused(inbox, worker, good)); // lost between the two looks
            if (!all) {
                without(outcomes, good).forEach(one -> outcomes.put(one.id(), Outcome.open(one.id(), LOCKED)));
            }
        }
        return inOrder(outcomes, presented);
    }

    /**
     * Writes results whose fence is still good and whose claim is the worker's. Presenting the same once more, because the answer was
     * lost, is kept. What cannot be written yet is open, and the worker's for another maximum run time.
     */
    public List<Outcome> finish(String inboxName, WorkerName worker, List<Presented> presented) {
        Inbox inbox = turno.inbox(inboxName);
        requireEachOnce(presented);
        Map<String, ClaimedMessage> found = find(inbox, presented);
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        List<Reports.Written> written = new ArrayList<>();
        for (Presented one : presented) {
            Optional<ClaimedMessage> row = Optional.ofNullable(found.get(one.id()));
            Optional<Outcome> known = row.filter(stored -> isOver(one, stored)).isPresent()
                    ? Optional.of(Outcome.kept(one.id()))
                    : refusal(one, row, worker);
            known.ifPresentOrElse(
                    outcome -> {
                        outcomes.put(one.id(), outcome);
                        row.filter(stored -> wasLost(one, stored, outcome))
                                .ifPresent(stored -> reports.lost(inbox, stored.key(), one.fence(), outcome.because()));
                    },
                    () -> written.add(
                            written(one, row.orElseThrow(), inbox.options().work())));
        }
        if (!written.isEmpty()) {
            HolderId holder = guests.holderFor(worker, inbox.options().work().longestClaim());
            List<Finish> finishes = write(inbox, holder, written);
            List<Verdict> open = open(written, finishes);
            if (!open.isEmpty()) {
                keep(inbox, holder, open);
            }
            for (int i = 0; i < written.size(); i++) {
                outcomes.put(written.get(i).id(), outcome(written.get(i).id(), finishes.get(i)));
            }
        }
        return inOrder(outcomes, presented);
    }

    /** Whatever comes of it, the worker has to be told what was written. */
    private void keep(Inbox inbox, HolderId holder, List<Verdict> open) {
        try {
            int unused = inbox.renew(holder, open.stream().map(Verdict::claim).toList());
        } catch (RuntimeException e) {
            reports.trouble(inbox, e);
        }
    }

    /** Whether the result was written before: under this fence, and as this result would. */
    private static boolean isOver(Presented one, ClaimedMessage row) {
        if (row.claim().fence() != one.fence()) {
            return false;
        }
        Result result = one.result().orElseThrow();
        return switch (row.state()) {
            case DONE -> result instanceof Result.Done;
            case DEAD -> !(result instanceof Result.Done);
            case PENDING -> result instanceof Result.Retry && row.node().isPresent(); // a freed one has no holder
            case DOING, CANCELLED -> false;
        };
    }

    private Map<String, Outcome> refused(Inbox inbox, WorkerName worker, List<Presented> presented) {
        Map<String, ClaimedMessage> found = find(inbox, presented);
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        presented.forEach(one -> refusal(one, Optional.ofNullable(found.get(one.id())), worker)
                .ifPresent(outcome -> outcomes.put(one.id(), outcome)));
        return outcomes;
    }

    private static Optional<Outcome> refusal(Presented one, Optional<ClaimedMessage> row, WorkerName worker) {
        if (row.isEmpty()) {
            return lost(one, "There is no such message, or it was finished and is not kept.");
        }
        if (row.get().claim().fence() != one.fence()) {
            long newest = row.get().claim().fence();
            return lost(
                    one,
                    "The newest fence is " + newest
                            + (one.fence() < newest
                                    ? ": it was taken by somebody else since."
                                    : ", not " + one.fence() + "."));
        }
        if (row.get().state() != InboxState.DOING) {
            return lost(one, "It is " + row.get().state() + " and in nobody's hands.");
        }
        return row.get().node().filter(worker.node()::equals).isPresent()
                ? Optional.empty()
                : lost(
                        one,
                        "It is not in the hands of worker '" + worker.name() + "' of token '" + worker.token() + "'.");
    }

    /** Whether somebody took or freed it meanwhile; what the worker never had, or finished itself in another way, it did not lose. */
    private static boolean wasLost(Presented one, ClaimedMessage row, Outcome outcome) {
        long newest = row.claim().fence();
        boolean freed = row.state() != InboxState.DOING && row.state() != InboxState.DONE;
        return !outcome.kept() && (one.fence() < newest || (one.fence() == newest && freed));
    }

    private static Optional<Outcome> lost(Presented one, String because) {
        return Optional.of(Outcome.lost(one.id(), because));
    }

    private static Map<String, ClaimedMessage> find(Inbox inbox, List<Presented> presented) {
        return inbox.claims(presented.stream().map(Presented::id).distinct().toList()).stream()
                .collect(Collectors.toMap(ClaimedMessage::id, Function.identity()));
    }

    private static Claim claim(Presented one, Map<String, ClaimedMessage> found) {
        return Optional.ofNullable(found.get(one.id()))
                .map(row -> new Claim(row.claim().id(), one.fence()))
                .orElseGet(() -> new Claim(0, one.fence()));
    }

    private static Reports.Written written(Presented one, ClaimedMessage row, WorkerSettings work) {
        Verdict verdict = verdict(one.result().orElseThrow(), row, work);
        return new Reports.Written(one.id(), row.key(), row.attempt(), verdict);
    }

    private static Verdict verdict(Result result, ClaimedMessage row, WorkerSettings work) {
        if (result instanceof Result.Done) {
            return new Verdict.Done(row.claim());
        }
        if (result instanceof Result.Retry retry && row.attempt() < work.maxAttempts()) {
            Duration in = retry.in().orElseGet(() -> work.backoff().after(row.attempt()));
            return new Verdict.Again(row.claim(), in, ErrorText.of(retry.because()));
        }
        return new Verdict.Dead(
                row.claim(), ErrorText.of(result instanceof Result.Reject reject ? reject.because() : because(result)));
    }

    private static String because(Result result) {
        return result instanceof Result.Retry retry ? retry.because() : "";
    }

    private static Outcome outcome(String id, Finish finish) {
        if (finish instanceof Finish.Open) {
            return Outcome.open(
                    id,
                    "Somebody holds its ordering key, for example in a transaction that is still open. It is this worker's; present"
                            + " the same result again in a moment.");
        }
        return finish instanceof Finish.Lost lost ? Outcome.lost(id, lost.because()) : Outcome.kept(id);
    }

    private static List<Presented> without(Map<String, Outcome> known, List<Presented> presented) {
        return presented.stream().filter(one -> !known.containsKey(one.id())).toList();
    }

    private static List<Outcome> inOrder(Map<String, Outcome> outcomes, List<Presented> presented) {
        return presented.stream()
                .map(one -> outcomes.getOrDefault(one.id(), Outcome.kept(one.id())))
                .toList();
    }

    private static void requireBetween(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "The " + what + " is " + value + "; use " + least + " to " + most + ". Nothing was changed.");
        }
    }

    @Override
    public void start() {
        waiting.open();
    }

    /** Before the web server waits for its requests to end: those who wait are told that there is nothing. */
    @Override
    public void stop() {
        waiting.close();
    }

    @Override
    public boolean isRunning() {
        return waiting.isOpen();
    }
}
