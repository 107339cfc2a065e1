/*
 * Certification by an authority outside: asked between two transactions, so that a crash in between leaves a request that was sent and of
 * which nobody knows how it ended. It is AMBIGUOUS then, and only the authority's own word ends that.
 *
 * One request that its client repeats, CALLERS instances that may take it in, one reconciler. The lock has a lease, lapses at any moment,
 * and its fence grows. A transaction that presents the lock (guard) fails if it was lost. The authority does what it is sent once per key, and
 * its answer can be lost on the way; it may also refuse, which means: not done.
 *
 * full:    -DCALLERS=2 -DCRASHES=2 -DLAPSES=3 -DLOSSES=1 -DREFUSALS=1
 * short:   -DCALLERS=2 -DCRASHES=1 -DLAPSES=2 -DLOSSES=1 -DREFUSALS=1
 * caught:  -DCALLERS=2 -DCRASHES=1 -DLAPSES=2 -DLOSSES=1 -DREFUSALS=1
 * mutants: NO_MARK NO_DOUBT FREE_ON_UNKNOWN NO_FENCE FRESH_KEY NOTIFY_APART NO_RECONCILER
 *
 *   NO_MARK          nothing is committed before the authority is asked
 *   NO_DOUBT         whoever takes over a request that was being sent sends it again
 *   FREE_ON_UNKNOWN  no answer counts as "not done"
 *   NO_FENCE         the end of a request is stored whatever became of it meanwhile
 *   FRESH_KEY        each sending has a key of its own for the authority
 *   NOTIFY_APART     the notification is put after the answer's commit
 *   NO_RECONCILER    nobody asks what became of an ambiguous request
 */
#define NONE        0
#define IN_PROGRESS 1
#define COMPLETED   2
#define RETRYABLE   3
#define AMBIGUOUS   4
#define ANSWERED 1
#define NOT_DONE 2
#define UNKNOWN  3

byte state, fence;
byte lockFence; bool lockHeld;     /* the lock: its newest fence, and whether its lease runs */
byte done;                         /* how often the authority did it */
bool notified;

/* What the model knows and the product does not. */
byte open;                         /* sendings that were decided, and whose end nobody has stored */
byte crashes, lapses, losses, refusals, replies;

#ifdef MUTANT_NO_FENCE
#define SEEN(f) (state == IN_PROGRESS || state == AMBIGUOUS)
#else
#define SEEN(f) ((state == IN_PROGRESS || state == AMBIGUOUS) && fence == f)
#endif
#define HAVE_LOCK (lockFence == f && lockHeld)
#define OVER (state == COMPLETED && notified && !lockHeld)

inline complete() {
    state = COMPLETED; fence = f; open = 0;
    assert(done > 0);                                                    /* nothing is answered that was not done */
#ifndef MUTANT_NOTIFY_APART
    assert(!notified);                                                   /* one notification */
    notified = true
#endif
}

inline release() { if :: lockFence == f -> lockHeld = false :: else fi }

active [CALLERS] proctype caller() {
    byte f, answer; bool unknown;          /* unknown: whether this sending was carried out */
idle:
    atomic { f = 0; answer = 0; unknown = false;
        if
        :: OVER -> goto end
        :: !OVER && state == COMPLETED && !lockHeld -> goto wait         /* a repetition gets the same answer */
        :: !OVER && (state == NONE || state == RETRYABLE || state == IN_PROGRESS) && !lockHeld -> lockFence++; lockHeld = true; f = lockFence
        fi }
    atomic {                                                             /* look again, mark as sent: one transaction */
        if
        :: !HAVE_LOCK -> goto idle
        :: else
        fi;
        if
        :: state == COMPLETED || state == AMBIGUOUS -> release(); goto idle
        :: state == IN_PROGRESS ->                                       /* its sender has lost the lock: it was sent, and not ended */
#ifdef MUTANT_NO_DOUBT
            fence = f
#else
            state = AMBIGUOUS; fence = f; release(); goto idle
#endif
        :: else ->
#ifndef MUTANT_NO_MARK
            state = IN_PROGRESS; fence = f
#endif
        fi;
        assert(open == 0);                                               /* never sent again before it is known how the last one ended */
        open = 1 }
    if
    :: atomic { crashes < CRASHES -> crashes++ }; goto idle
    :: atomic {                                                          /* the authority, outside of any transaction */
        if
        :: refusals < REFUSALS -> refusals++; answer = NOT_DONE
        :: losses < LOSSES -> losses++; answer = UNKNOWN                 /* it never arrived */
        :: else -> skip
        :: true -> skip
        fi;
        if
        :: answer == 0 ->
#ifdef MUTANT_FRESH_KEY
            done++;
#else
            done = 1;
#endif
            assert(done == 1);                                           /* done once */
            if :: losses < LOSSES -> losses++; answer = UNKNOWN :: answer = ANSWERED fi
        :: else
        fi }
    fi;
    if :: atomic { crashes < CRASHES -> crashes++ }; goto idle :: skip fi;
#ifdef MUTANT_FREE_ON_UNKNOWN
    atomic { if :: answer == UNKNOWN -> answer = NOT_DONE; unknown = true :: else fi }
#endif
    atomic {                                                             /* store the end and give the lock back: one transaction */
        if
#ifdef MUTANT_NO_MARK
        :: HAVE_LOCK && state != COMPLETED && answer == ANSWERED -> complete()
        :: HAVE_LOCK && state != COMPLETED && answer == NOT_DONE -> state = RETRYABLE; fence = f; open = 0
        :: HAVE_LOCK && state != COMPLETED && answer == UNKNOWN -> state = AMBIGUOUS; fence = f
#else
#ifdef MUTANT_NO_FENCE
        :: SEEN(f) && answer == ANSWERED -> complete()
        :: SEEN(f) && answer == NOT_DONE -> open = (fence == f -> 0 : open); state = RETRYABLE; fence = f
        :: SEEN(f) && answer == UNKNOWN -> state = AMBIGUOUS; fence = f
#else
        :: SEEN(f) && HAVE_LOCK && answer == ANSWERED -> complete()
        :: SEEN(f) && HAVE_LOCK && answer == NOT_DONE -> state = RETRYABLE; fence = f; open = (unknown -> 1 : 0)
        :: SEEN(f) && HAVE_LOCK && answer == UNKNOWN -> state = AMBIGUOUS; fence = f
#endif
#endif
        :: else -> goto idle                                             /* taken over: rolled back, the reconciler asks */
        fi;
        release() }
#ifdef MUTANT_NOTIFY_APART
    if
    :: atomic { crashes < CRASHES -> crashes++ }; goto idle
    :: atomic { answer == ANSWERED -> notified = true }
    :: answer != ANSWERED
    fi;
#endif
    goto idle;
wait:
    OVER;
end: skip
}

/* Each sending left a message for it, due when the lease has passed; it is retried until the request is not open any more. */
active proctype reconciler() {
    byte f, answer;
end:
    do
#ifndef MUTANT_NO_RECONCILER
    :: atomic { (state == IN_PROGRESS || state == AMBIGUOUS) && !lockHeld -> lockFence++; lockHeld = true; f = lockFence };
        atomic {
            if
            :: HAVE_LOCK && (state == IN_PROGRESS || state == AMBIGUOUS) -> state = AMBIGUOUS; fence = f
            :: else -> release(); f = 0; goto end
            fi };
        atomic { answer = (done > 0 -> ANSWERED : NOT_DONE); if :: losses < LOSSES -> losses++; answer = UNKNOWN :: skip fi };
        atomic {
            if
            :: SEEN(f) && HAVE_LOCK && answer == ANSWERED ->
                complete();
#ifdef MUTANT_NOTIFY_APART
                notified = true
#endif
            :: SEEN(f) && HAVE_LOCK && answer == NOT_DONE -> state = RETRYABLE; fence = f; open = 0
            :: else
            fi;
            release(); f = 0; answer = 0 }
#endif
    :: OVER -> break
    od
}

active proctype time() {
end:
    do
    :: atomic { lapses < LAPSES && lockHeld -> lapses++; lockHeld = false }
    :: atomic { timeout && lockHeld -> lockHeld = false }                /* whoever had it is dead */
    :: OVER -> break
    od
}
