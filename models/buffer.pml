/*
 * A buffer's key: messages are added while its burst is frozen, handed over, retried, taken over and finished.
 *
 * The key's row is locked by an add, a take and a finish, so each of these is one atomic block. What a take froze is read in a step of its
 * own, after its commit. The gateway is outside: it keeps what it was handed under each burst's key (the row's number and the burst's
 * end), and drops repetitions. A dead burst keeps its messages and lets the key go on.
 *
 * full:    -DMESSAGES=3 -DWORKERS=2 -DMAX=2 -DCRASHES=1 -DLAPSES=1 -DLOSSES=1 -DRETRIES=1 -DREJECTS=1
 * short:   -DMESSAGES=3 -DWORKERS=2 -DMAX=2 -DCRASHES=0 -DLAPSES=1 -DLOSSES=1 -DRETRIES=1 -DREJECTS=0
 * caught:  -DMESSAGES=3 -DWORKERS=2 -DMAX=2 -DCRASHES=0 -DLAPSES=1 -DLOSSES=1 -DRETRIES=1 -DREJECTS=0
 * mutants: NO_FREEZE NO_FENCE DELETE_ALL NEXT_FORGOTTEN NO_COUNT NO_IDS NO_IDEMPOTENCE DEAD_DELETES
 *
 *   NO_FREEZE       a retry takes what has come since as well
 *   NO_FENCE        a finish looks at the state alone
 *   DELETE_ALL      a finish removes the key's messages, not the burst's
 *   NEXT_FORGOTTEN  a finish makes the key idle without asking whether newer messages wait
 *   NO_COUNT        a burst of which some messages are gone by now is handed over nevertheless
 *   NO_IDS          an add that is repeated because its answer was lost is stored again
 *   NO_IDEMPOTENCE  repeating one's own committed finish is answered "lost"
 *   DEAD_DELETES    a burst that is given up takes its messages with it
 */
#ifdef MUTANT_DEAD_DELETES /* shows when something is rejected */
#undef REJECTS
#define REJECTS 1
#endif
#define IDLE    0
#define PENDING 1
#define DOING   2
#define NONE    255
#define SEQS (MESSAGES + LOSSES + 1)

byte state, seq, doneTo, from, to, fence, overFence;
bool frozen, next, held;           /* next: messages wait for a burst of their own; held: held_until lies ahead */
bool stored[SEQS];                 /* rows of messages by their number in the key */
byte message[SEQS];                /* which message that is */
bool known[MESSAGES];              /* ids that were added */

/* What the model knows and the product does not. */
byte taking;
bool believed;
byte burstOf[MESSAGES];            /* under which key the gateway was handed it: the end of its burst */
byte handed[SEQS];                 /* what the gateway has under each key: the first message's number + 1, 0 = nothing */
bool dead[MESSAGES];
byte added, crashes, lapses, losses, retries, rejects, last;

#define ALL_SEEN (added == MESSAGES && state == IDLE)
#define FREE (state == PENDING || (state == DOING && !held))
#ifdef MUTANT_NO_FENCE
#define MINE (state == DOING)
#else
#define MINE (state == DOING && fence == f)
#endif

active proctype sender() {
    byte m; bool lost;
    do
    :: m == MESSAGES -> break
    :: m < MESSAGES ->
        atomic {
            if
#ifndef MUTANT_NO_IDS
            :: known[m]
#endif
            :: else ->
                known[m] = true; seq++; stored[seq] = true; message[seq] = m; next = true;
                if :: state == IDLE -> state = PENDING :: else fi
            fi;
            lost = false;
            if
            :: losses < LOSSES -> losses++; lost = true                  /* the answer was lost: added again */
            :: m++; added = m
            fi
        }
    od
}

inline handOver() {                                                      /* s goes from b + 1 to e */
    s = b + 1;
    do
    :: s <= e ->
        if
        :: got & (1 << (s - b)) ->
            assert(burstOf[message[s]] == 0 || burstOf[message[s]] == e);        /* a message lies in one burst for good */
            burstOf[message[s]] = e
        :: else -> assert(false)                                         /* a burst is handed over whole */
        fi;
        s++
    :: else -> break
    od;
    assert(handed[e] == 0 || handed[e] == b + 1);                        /* a retry is the same burst */
    assert(handed[e] != 0 || b == last);                                 /* bursts come in order, and none is left out */
    if :: handed[e] == 0 -> handed[e] = b + 1; last = e :: else fi;
    s = 0
}

active [WORKERS] proctype worker() {
    byte f, b, e, s, c, got; bool wrote, kept, again, reject;
idle:
    atomic { f = 0; b = 0; e = 0; s = 0; c = 0; got = 0; wrote = false; kept = false; again = false; reject = false;
        if
        :: ALL_SEEN -> goto end
        :: !ALL_SEEN && FREE ->
            assert(!(believed && held));                                 /* one burst of a key at a time */
            state = DOING; fence++; held = true; f = fence;
#ifdef MUTANT_NO_FREEZE
            if :: true ->
#else
            if :: frozen :: else ->
#endif
                from = doneTo; to = (seq < doneTo + MAX -> seq : doneTo + MAX);
                next = seq > to
            fi;
            frozen = true; b = from; e = to;
            taking++; c = taking; believed = true
        fi }
    atomic {                                                             /* the messages are read after the take's commit */
        s = b + 1; kept = true;
        do :: s <= e ->
            if :: stored[s] -> got = got | (1 << (s - b)) :: else -> kept = false fi; s++
           :: else -> break od;
        s = 0;
        if
#ifndef MUTANT_NO_COUNT
        :: !kept -> goto idle
#endif
        :: else
        fi;
        kept = false }
    if
    :: atomic { crashes < CRASHES -> crashes++; if :: taking == c -> believed = false; held = false :: else fi }; goto idle
    :: atomic { handOver() }
    fi;
    if
    :: atomic { retries < RETRIES -> retries++; again = true }
    :: atomic { rejects < REJECTS -> rejects++; reject = true }
    :: atomic { crashes < CRASHES -> crashes++; if :: taking == c -> believed = false; held = false :: else fi }; goto idle
    :: skip
    fi;
finish:
    atomic { kept = false;
        if
        :: MINE && again ->
            assert(taking == c); state = PENDING; held = false; kept = true
        :: MINE && !again ->
            assert(taking == c);                                         /* a stale finish is refused */
            s = b + 1;
            do
            :: s <= e ->
                if :: reject -> dead[message[s]] = true :: else fi;
#ifndef MUTANT_DEAD_DELETES
                if :: !reject -> stored[s] = false :: else fi;
#else
                stored[s] = false;
#endif
                s++
            :: else -> break
            od;
#ifdef MUTANT_DELETE_ALL
            s = 1; do :: s <= seq -> stored[s] = false; s++ :: else -> break od;
#endif
            s = 0; held = false; frozen = false; overFence = f;
            doneTo = (doneTo > to -> doneTo : to);
#ifdef MUTANT_NEXT_FORGOTTEN
            state = IDLE; next = false;
#else
            state = (next -> PENDING : IDLE);
#endif
            kept = true
#ifndef MUTANT_NO_IDEMPOTENCE
        :: !MINE && overFence == f && !again -> kept = true
        :: !MINE && state == PENDING && fence == f && again -> kept = true
#endif
        :: else
        fi;
        /* what was committed is not called lost, unless another taking came since */
        assert(!wrote || kept || taking != c);
        if :: taking == c -> believed = false :: else fi
    }
    if
    :: atomic { losses < LOSSES -> losses++; wrote = kept }; goto finish
    :: goto idle
    fi;
end: skip
}

active proctype time() {
end:
    do
    :: atomic { lapses < LAPSES && state == DOING && held -> lapses++; held = false }
    :: ALL_SEEN -> break
    od
}

/* When all is over: every message was handed over; what was given up is still there, the rest is gone. */
active proctype checker() {
    byte s;
    ALL_SEEN;
    atomic {
        s = 0; do :: s < MESSAGES -> assert(burstOf[s] != 0); s++ :: else -> break od;
        assert(last == seq);
        s = 1; do :: s <= seq -> assert(stored[s] == dead[message[s]]); s++ :: else -> break od
    }
}
