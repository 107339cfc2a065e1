/*
 * Lanes and slots: in a lane one message at a time has a turn, in the order of the puts; of all lanes together at most SLOTS are under way.
 *
 * Message k lies in lane k % LANES. A put draws its number under the lane's lock, so it is one atomic block; so is a finish, which frees
 * the head and hands the turn on. A take into slots is one transaction of several statements: it looks for free slots with an old view,
 * locks one, looks again, then takes a row and writes its claim into the slot. A slot names a claim and is free when that is over.
 *
 * full:    -DMESSAGES=4 -DLANES=2 -DSLOTS=2 -DWORKERS=2 -DCRASHES=1 -DLAPSES=1 -DLOSSES=1 -DREJECTS=0
 * short:   -DMESSAGES=3 -DLANES=2 -DSLOTS=1 -DWORKERS=2 -DCRASHES=0 -DLAPSES=1 -DLOSSES=1 -DREJECTS=1
 * caught:  -DMESSAGES=3 -DLANES=2 -DSLOTS=1 -DWORKERS=2 -DCRASHES=0 -DLAPSES=1 -DLOSSES=1 -DREJECTS=0
 * mutants: NO_HEAD PUT_UNLOCKED NO_HANDOVER NO_FENCE NO_SECOND_LOOK SLOT_NAMES_ROW COUNTED
 *
 *   NO_HEAD         a put gets its turn although others of its lane are before it
 *   PUT_UNLOCKED    a put draws its number without keeping the lane locked until its commit
 *   NO_HANDOVER     a finish does not give the turn to the next in line
 *   NO_FENCE        a finish looks at the state alone
 *   NO_SECOND_LOOK  the slot that was locked is not looked at again
 *   SLOT_NAMES_ROW  a slot remembers the row and not its fence, and whoever does not have the row any more frees it
 *   COUNTED         no slots: what is under way is counted before the take
 */
#define NONE    0
#define PENDING 1
#define DOING   2
#define DONE    3
#define DEAD    4
#define NOBODY  255

byte state[MESSAGES], fence[MESSAGES];
bool turn[MESSAGES], held[MESSAGES];
byte head[LANES];
byte slotRow[SLOTS], slotFence[SLOTS];
bool slotLocked[SLOTS];
bool ready;
byte put;

/* What the model knows and the product does not. */
byte taking[MESSAGES];
bool believed[MESSAGES];
byte crashes, lapses, losses, rejects;

#define LANE(k) ((k) % LANES)
#define UNDER_WAY(k) (state[k] == DOING && held[k])
#define FREE(k) (turn[k] && (state[k] == PENDING || (state[k] == DOING && !held[k])))
#ifdef MUTANT_SLOT_NAMES_ROW
#define SLOT_FREE(s) (slotRow[s] == NOBODY || !UNDER_WAY(slotRow[s]))
#else
#define SLOT_FREE(s) (slotRow[s] == NOBODY || fence[slotRow[s]] != slotFence[s] || !UNDER_WAY(slotRow[s]))
#endif
#ifdef MUTANT_NO_FENCE
#define MINE (state[i] == DOING)
#else
#define MINE (state[i] == DOING && fence[i] == f)
#endif
#if MESSAGES == 3
#define SOME_FREE (FREE(0) || FREE(1) || FREE(2))
#define OVER (put == 3 && state[0] >= DONE && state[1] >= DONE && state[2] >= DONE)
#define RUNNING (B(0) + B(1) + B(2))
#define COUNT (U(0) + U(1) + U(2))
#else
#define SOME_FREE (FREE(0) || FREE(1) || FREE(2) || FREE(3))
#define OVER (put == 4 && state[0] >= DONE && state[1] >= DONE && state[2] >= DONE && state[3] >= DONE)
#define RUNNING (B(0) + B(1) + B(2) + B(3))
#define COUNT (U(0) + U(1) + U(2) + U(3))
#endif
#define B(k) (believed[k] && held[k] -> 1 : 0)
#define U(k) (UNDER_WAY(k) -> 1 : 0)

/* Gives the turn to the first of the lane that is not over, if nobody has it. */
inline promote(l) {
    if
    :: head[l] != NOBODY
    :: else ->
        n = l;
        do
        :: n < MESSAGES && (state[n] >= DONE || state[n] == NONE) -> n = n + LANES
        :: else -> break
        od;
        if :: n < MESSAGES -> head[l] = n; turn[n] = true :: else fi;
        n = 0
    fi
}

inline prepare() {
    atomic {
        n = 0; do :: n < SLOTS -> slotRow[n] = NOBODY; n++ :: else -> break od;
        n = 0; do :: n < LANES -> head[n] = NOBODY; n++ :: else -> break od; n = 0;
        ready = true }
}

#ifdef MUTANT_PUT_UNLOCKED
byte drawn;

active [2] proctype sender() {
    byte n, k;
    if :: _pid == 0 -> prepare() :: else -> ready fi;
    do
    :: atomic { drawn == MESSAGES -> break }
    :: atomic { drawn < MESSAGES -> k = drawn; drawn++ };
        atomic { state[k] = PENDING; put++; promote(LANE(k)) }
    od
}
#else
active proctype sender() {
    byte n;
    prepare();
    do
    :: put == MESSAGES -> break
    :: put < MESSAGES -> atomic {
        state[put] = PENDING;
#ifdef MUTANT_NO_HEAD
        turn[put] = true;
#endif
        put++; promote(LANE(put - 1)) }
    od
}
#endif

/* At the start of a handler: in order, one of a lane, not too many. Messages that are behind in the lane have not begun. */
inline begins() {
    n = LANE(i);
    do
    :: n < MESSAGES ->
        assert(n >= i || state[n] >= DONE);
        assert(n == i || !(believed[n] && held[n]));
        n = n + LANES
    :: else -> break
    od;
    n = 0;
    assert(!(believed[i] && held[i]));                                   /* one holder of a row at a time */
    taking[i]++; c = taking[i]; believed[i] = true
}

active [WORKERS] proctype worker() {
    byte i, f, s, n, c; bool wrote, kept, reject;
idle:
    atomic { i = 0; f = 0; s = 0; c = 0; wrote = false; kept = false; reject = false;
        if
        :: OVER -> goto end
#ifdef MUTANT_COUNTED
        :: !OVER && SOME_FREE && COUNT < SLOTS
#else
        :: ready && !OVER && SOME_FREE && SLOT_FREE(0) -> s = 0
#if SLOTS > 1
        :: !OVER && SOME_FREE && SLOT_FREE(1) -> s = 1
#endif
#endif
        fi }
#ifndef MUTANT_COUNTED
    atomic { if :: !slotLocked[s] -> slotLocked[s] = true :: else -> goto idle fi }
#ifndef MUTANT_NO_SECOND_LOOK
    atomic { if :: SLOT_FREE(s) :: else -> slotLocked[s] = false; goto idle fi }
#endif
#endif
    atomic {                                                             /* take and hold the slot; the commit */
        if
        :: FREE(0) -> i = 0
        :: FREE(1) -> i = 1
        :: FREE(2) -> i = 2
#if MESSAGES > 3
        :: FREE(3) -> i = 3
#endif
        :: else -> slotLocked[s] = false; goto idle
        fi;
        begins();
        state[i] = DOING; fence[i]++; held[i] = true; f = fence[i];
#ifndef MUTANT_COUNTED
        slotRow[s] = i; slotFence[s] = f; slotLocked[s] = false;
#endif
        assert(RUNNING <= SLOTS)                                         /* never more under way than there are slots */
    }
    if
    :: atomic { crashes < CRASHES -> crashes++; if :: taking[i] == c -> believed[i] = false; held[i] = false :: else fi }; goto idle
    :: atomic { rejects < REJECTS -> rejects++; reject = true }
    :: skip
    fi;
finish:
    atomic { kept = false;
        if
        :: MINE ->
            assert(taking[i] == c);                                      /* a stale finish is refused */
            state[i] = (reject -> DEAD : DONE); turn[i] = false; held[i] = false; kept = true;
            if :: head[LANE(i)] == i -> head[LANE(i)] = NOBODY :: else fi;
#ifndef MUTANT_NO_HANDOVER
            promote(LANE(i))
#endif
        :: !MINE && fence[i] == f && state[i] >= DONE -> kept = true
        :: else
#ifdef MUTANT_SLOT_NAMES_ROW
            -> s = 0; do :: s < SLOTS -> if :: slotRow[s] == i -> slotRow[s] = NOBODY :: else fi; s++ :: else -> break od; s = 0
#endif
        fi;
        assert(!wrote || kept || taking[i] != c);
        if :: taking[i] == c -> believed[i] = false :: else fi
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
    :: atomic { lapses < LAPSES && UNDER_WAY(0) -> lapses++; held[0] = false }
    :: atomic { lapses < LAPSES && UNDER_WAY(1) -> lapses++; held[1] = false }
    :: OVER -> break
    od
}
