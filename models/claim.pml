/*
 * The claim: take, renew, reap, finish with the fence, give back, and what becomes of a dead holder's claims.
 *
 * One atomic block is one committed statement or transaction. A pause needs no code: Spin leaves a process where it is for as long as
 * it likes, while the lease of its holder passes. Time is what may happen at any moment: a lease lapses, a claim passes its maximum run
 * time. A take asks in one step whether its holder was declared dead and takes in another, as on H2 and MariaDB; on PostgreSQL both are
 * one statement, which is a special case.
 *
 * full:    -DITEMS=1 -DNODES=2 -DCRASHES=0 -DLAPSES=2 -DOVERDUE=1 -DLOSSES=1 -DRETRIES=1 -DCANCELS=1
 * short:   -DITEMS=1 -DNODES=2 -DCRASHES=0 -DLAPSES=1 -DOVERDUE=0 -DLOSSES=1 -DRETRIES=1 -DCANCELS=0
 * caught:  -DITEMS=1 -DNODES=2 -DCRASHES=0 -DLAPSES=1 -DOVERDUE=1 -DLOSSES=1 -DRETRIES=1 -DCANCELS=1
 * mutants: NO_FENCE NO_STATUS SPLIT_TAKE FENCE_REUSED TAKE_REAPED RENEW_REAPED REAP_LIVING NO_IDEMPOTENCE NO_TAKEOVER
 *
 *   NO_FENCE        a finish looks at the state alone
 *   NO_STATUS       a finish looks at the fence alone
 *   SPLIT_TAKE      a row is found free in one step and marked in another, without a lock
 *   FENCE_REUSED    taking over a lapsed row leaves its fence as it was
 *   TAKE_REAPED     a take does not ask whether its holder was declared dead
 *   RENEW_REAPED    a renewal does not ask either
 *   REAP_LIVING     who was found lapsed is declared dead without looking at its lease again
 *   NO_IDEMPOTENCE  repeating one's own committed finish is answered "lost"
 *   NO_TAKEOVER     what a dead holder had is not free
 */
#ifdef MUTANT_NO_TAKEOVER /* shows when somebody dies */
#undef CRASHES
#define CRASHES 1
#endif
#define PENDING   0
#define DOING     1
#define DONE      2
#define CANCELLED 3
#define IDS (NODES + CRASHES + LAPSES + 1)

byte state[ITEMS], fence[ITEMS], holder[ITEMS];
bool held[ITEMS];                  /* held_until lies ahead */
byte id[NODES];                    /* under which each process takes now */
bool lapsed[IDS], reaped[IDS], gone[IDS];
byte ids = NODES - 1;

/* What the model knows and the product does not: an identity of each taking that has nothing to do with the fence. */
byte taking[ITEMS], accepted[ITEMS];
bool believed[ITEMS];              /* its newest taker runs its handler, and does not know of any loss */
byte crashes, lapses, overdue, losses, retries, cancels;

#if ITEMS > 1
#define OVER (state[0] >= DONE && state[1] >= DONE)
#define SOME_FREE (FREE(0) || FREE(1))
#else
#define OVER (state[0] >= DONE)
#define SOME_FREE FREE(0)
#endif

#ifdef MUTANT_NO_TAKEOVER
#define FREE(k) (state[k] == PENDING)
#else
#define FREE(k) (state[k] == PENDING || (state[k] == DOING && (!held[k] || reaped[holder[k]])))
#endif

#ifdef MUTANT_NO_FENCE
#define MINE(k, f) (state[k] == DOING)
#else
#ifdef MUTANT_NO_STATUS
#define MINE(k, f) (fence[k] == f)
#else
#define MINE(k, f) (state[k] == DOING && fence[k] == f)
#endif
#endif

inline crash() {                   /* kill -9, and a start under a new id */
    crashes++; gone[h] = true;
    if :: taking[i] == c && c > 0 -> believed[i] = false :: else fi;
    ids++; id[me] = ids
}

inline mark() {
#ifdef MUTANT_FENCE_REUSED
    if :: state[i] == PENDING -> fence[i]++ :: else fi;
#else
    fence[i]++;
#endif
    assert(state[i] != CANCELLED);                                       /* what was cancelled never runs */
    assert(!(believed[i] && held[i] && !lapsed[holder[i]]));             /* nobody is robbed while it may believe in its claim */
    state[i] = DOING; holder[i] = h; held[i] = true; f = fence[i];
    taking[i]++; c = taking[i]; believed[i] = true
}

active [NODES] proctype worker() {
    byte me = _pid; byte i, f, h, c; bool again, wrote, kept, dead;

    id[me] = me;
idle:
    atomic { i = 0; f = 0; c = 0; again = false; wrote = false; kept = false; dead = false;
        if
        :: OVER -> goto end
        :: !OVER && SOME_FREE && !lapsed[id[me]] -> h = id[me]
        fi }
    atomic { dead = reaped[h];
#ifndef MUTANT_TAKE_REAPED
        if :: dead -> goto idle :: else fi
#endif
    }
    atomic {
        if
        :: FREE(0) -> i = 0
#if ITEMS > 1
        :: FREE(1) -> i = 1
#endif
        :: else -> goto idle
        fi;
#ifdef MUTANT_SPLIT_TAKE
    }
    atomic {
#endif
        assert(!dead);                                                   /* who was declared dead before it asked takes nothing */
        mark()
    }
    if
    :: atomic { losses < LOSSES -> losses++; believed[i] = false };      /* the answer of the take was lost: nobody works on it */
        atomic {
            if :: state[i] == DOING && holder[i] == h -> state[i] = PENDING; held[i] = false :: else fi };
        goto idle
    :: atomic { crashes < CRASHES -> crash() }; goto idle
    :: atomic { retries < RETRIES -> retries++; again = true }
    :: skip
    fi;
finish:
    atomic { kept = false;
        if
        :: MINE(i, f) && !again ->
            assert(accepted[i] == 0 || state[i] == DONE);                /* nothing is accepted twice */
            assert(taking[i] == c);                                      /* a stale finish is refused */
            assert(state[i] != CANCELLED);
            state[i] = DONE; held[i] = false; accepted[i] = 1; kept = true
        :: MINE(i, f) && again ->
            assert(taking[i] == c);
            state[i] = PENDING; held[i] = false; kept = true
#ifndef MUTANT_NO_IDEMPOTENCE
        :: !MINE(i, f) && fence[i] == f && state[i] == DONE && !again -> kept = true
        :: !MINE(i, f) && fence[i] == f && state[i] == PENDING && again && holder[i] == h -> kept = true
#endif
        :: else
        fi;
        /* what was committed is not called lost, unless somebody acted on it since */
        assert(!wrote || kept || taking[i] != c || state[i] == CANCELLED);
        if :: taking[i] == c -> believed[i] = false :: else fi
    }
    if
    :: atomic { losses < LOSSES -> losses++; wrote = kept }; goto finish  /* the answer was lost: asked again */
    :: atomic { crashes < CRASHES -> crash() }; goto idle
    :: goto idle
    fi;
end: skip
}

/* Statements for each id: Promela has no loops over guards. */
#if IDS > 6
#error "more ids than the processes below know of"
#endif
#define SEEN_LAPSED(k) (!OVER && !lapsed[id[me]] && lapsed[k] && !reaped[k] && k != id[me])
#define CAN_LAPSE(k) (!OVER && !lapsed[k] && k <= ids && (gone[k] || lapses < LAPSES))

inline reap() {
    atomic {
#ifdef MUTANT_REAP_LIVING
        reaped[found] = true;
#else
        if :: lapsed[found] -> reaped[found] = true :: else fi;
#endif
        found = 0 }
}

inline lapse(k) {
    if :: gone[k] :: else -> lapses++ fi; lapsed[k] = true
}

active [NODES] proctype heartbeat() {
    byte me = _pid - NODES; byte found;
end:
    do
    :: atomic { !OVER && lapsed[id[me]] ->                               /* renewing in time changes nothing here */
        if
#ifdef MUTANT_RENEW_REAPED
        :: true -> lapsed[id[me]] = false
#else
        :: !reaped[id[me]] -> lapsed[id[me]] = false
        :: reaped[id[me]] ->                                             /* declared dead: loses all, goes on under a new id */
            if :: holder[0] == id[me] -> believed[0] = false :: else fi;
#if ITEMS > 1
            if :: holder[1] == id[me] -> believed[1] = false :: else fi;
#endif
            ids++; id[me] = ids
#endif
        fi }
    :: atomic { SEEN_LAPSED(0) -> found = 0 }; reap()
    :: atomic { SEEN_LAPSED(1) -> found = 1 }; reap()
    :: atomic { SEEN_LAPSED(2) -> found = 2 }; reap()
    :: atomic { SEEN_LAPSED(3) -> found = 3 }; reap()
#if IDS > 4
    :: atomic { SEEN_LAPSED(4) -> found = 4 }; reap()
#endif
#if IDS > 5
    :: atomic { SEEN_LAPSED(5) -> found = 5 }; reap()
#endif
    :: OVER -> break
    od
}

active proctype time() {
end:
    do
    :: atomic { CAN_LAPSE(0) -> lapse(0) }
    :: atomic { CAN_LAPSE(1) -> lapse(1) }
    :: atomic { CAN_LAPSE(2) -> lapse(2) }
    :: atomic { CAN_LAPSE(3) -> lapse(3) }
#if IDS > 4
    :: atomic { CAN_LAPSE(4) -> lapse(4) }
#endif
#if IDS > 5
    :: atomic { CAN_LAPSE(5) -> lapse(5) }
#endif
    :: atomic { overdue < OVERDUE && state[0] == DOING && held[0] -> overdue++; held[0] = false }
    :: atomic { cancels < CANCELS && state[0] == PENDING -> cancels++; state[0] = CANCELLED }
    :: OVER -> break
    od
}
