/*
 * Tasks that are shared out before their instant: dealing, evening out when somebody joins, preloading, arming, starting from memory, and
 * what happens when a holder dies, a task is moved to another instant, or somebody is late.
 *
 * The clock is a number: the instant of a task is 1, or 2 once it was rescheduled; one tick later is its grace, from which on anybody may
 * take what is in somebody's share. Two assigners deal at once, which the product avoids for evenness alone. Each reads what is open
 * with its fences in one step and writes in another; rows are not locked in between.
 *
 * full:    -DNODES=2 -DDEATHS=1 -DMOVES=1 -DASSIGNERS=1 -DOVERDUE=0
 * short:   -DNODES=2 -DDEATHS=0 -DMOVES=1 -DASSIGNERS=1 -DOVERDUE=0
 * caught:  -DNODES=2 -DDEATHS=1 -DMOVES=1 -DASSIGNERS=1 -DOVERDUE=0
 * mutants: KEEP_FENCE ARM_NO_FENCE ARM_REAPED START_UNARMED EARLY NO_GRACE NO_FENCE NO_EVEN_OUT
 *
 *   KEEP_FENCE      a task that is rescheduled or shared out keeps its fence
 *   ARM_NO_FENCE    arming does not present the fence of the preload
 *   ARM_REAPED      arming does not ask whether its holder was declared dead
 *   START_UNARMED   what is in memory is started without arming
 *   EARLY           what is armed is started at once
 *   NO_GRACE        what is in somebody's share may be taken before its instant
 *   NO_FENCE        a finish looks at the state alone
 *   NO_EVEN_OUT     who joins gets nothing of what was shared out before
 */
#define PENDING  0
#define ASSIGNED 1
#define DOING    2
#define DONE     3
#define NOBODY   255
#define TASKS 2
#define IDS (NODES + DEATHS)
#define LAST 3

byte clock;
byte state[TASKS], fence[TASKS], to[TASKS], holder[TASKS], at[TASKS], turn[TASKS];
bool held[TASKS];
byte id[NODES];
bool runner[IDS], lapsed[IDS], reaped[IDS], gone[IDS];
byte ids = NODES - 1;
bool ready, calm;                 /* calm: long before the instant; nothing more happens but sharing out */

/* What the model knows and the product does not. */
byte taking[TASKS];
bool believed[TASKS];
byte deaths, moves, overdue, changes;                                    /* changes: of whatever an even deal depends on */

#define OVER (state[0] == DONE && state[1] == DONE)
#define LIVES(k) (runner[k] && !reaped[k] && !lapsed[k])
#define HAS(k) ((state[0] == ASSIGNED && to[0] == k -> 1 : 0) + (state[1] == ASSIGNED && to[1] == k -> 1 : 0))
#define FREE(t) (turn[t] <= clock && (state[t] == PENDING || state[t] == ASSIGNED || (state[t] == DOING && (!held[t] || reaped[holder[t]]))))
#ifdef MUTANT_NO_GRACE
#undef FREE
#define FREE(t) (state[t] == PENDING || state[t] == ASSIGNED || (state[t] == DOING && (!held[t] || reaped[holder[t]])))
#endif
#ifdef MUTANT_KEEP_FENCE
#define RAISE(t)
#else
#define RAISE(t) fence[t]++;
#endif
#ifdef MUTANT_NO_FENCE
#define MINE(t, f) (state[t] == DOING)
#else
#define MINE(t, f) (state[t] == DOING && fence[t] == f)
#endif
#ifdef MUTANT_ARM_NO_FENCE
#define SAME(t, f) true
#else
#define SAME(t, f) (fence[t] == f)
#endif
#ifdef MUTANT_ARM_REAPED
#define MAY_ARM true
#else
#define MAY_ARM !reaped[h]
#endif

#define CAN_LAPSE(k) (!lapsed[k] && (gone[k] || (deaths < DEATHS && !calm)))
inline lapse(k) {
    if :: gone[k] :: else -> deaths++ fi; lapsed[k] = true; changes++
}

inline begins(t) {                                                       /* the newest claim on it, and its handler */
    assert(clock >= at[t]);                                              /* nothing starts early */
    assert(state[t] != DONE);
    assert(!(believed[t] && held[t] && !lapsed[holder[t]]));             /* nobody is robbed while it may believe in its claim */
    believed[t] = true
}

inline load(t) {
    mem[t] = fence[t]; memAt[t] = at[t]
}

inline arm(t) {
    if
    :: SAME(t, mem[t]) && state[t] == ASSIGNED && to[t] == h && MAY_ARM ->
        assert(!reaped[h]);                                              /* who was declared dead arms nothing */
        state[t] = DOING; holder[t] = h; held[t] = true; taking[t]++; c[t] = taking[t]; armed[t] = true;
        mem[t] = fence[t]
    :: else -> mem[t] = 0
    fi
}

inline take(t) {
    begins(t);
    state[t] = DOING; holder[t] = h; held[t] = true; fence[t]++; mem[t] = fence[t]; taking[t]++; c[t] = taking[t]; running[t] = true;
    armed[t] = false
}

inline start(t) {
#ifdef MUTANT_START_UNARMED
    if :: armed[t] :: else -> taking[t]++; c[t] = taking[t] fi;
    begins(t);
#else
    /* Between arming and the instant somebody may have taken it over, if this process was declared dead: then it only finds out later. */
    if :: taking[t] == c[t] -> begins(t) :: else fi;
#endif
    armed[t] = false; running[t] = true
}

inline finish(t) {
    if
    :: MINE(t, mem[t]) ->
        assert(taking[t] == c[t]);                                       /* a stale finish is refused */
        state[t] = DONE; held[t] = false
    :: else
    fi;
    if :: taking[t] == c[t] -> believed[t] = false :: else fi;
    running[t] = false; mem[t] = 0; memAt[t] = 0; c[t] = 0
}

#ifdef MUTANT_START_UNARMED
#define CAN_START(t) (mem[t] != 0 && !running[t] && clock >= memAt[t])
#define CAN_ARM(t) false
#else
#ifdef MUTANT_EARLY
#define CAN_START(t) armed[t]
#else
#define CAN_START(t) (armed[t] && clock >= memAt[t])
#endif
#define CAN_ARM(t) (!calm && mem[t] != 0 && !armed[t] && !running[t] && clock < memAt[t] + 1)
#endif
#define CAN_LOAD(t) (state[t] == ASSIGNED && to[t] == h && mem[t] == 0)
#define CAN_FORGET(t) (mem[t] != 0 && !armed[t] && !running[t] && (fence[t] != mem[t] || clock >= memAt[t] + 1))
#define CAN_TAKE(t) (FREE(t) && !running[t] && !armed[t] && !reaped[h] && !lapsed[h])

active [NODES] proctype node() {
    byte me = _pid; byte h; byte mem[TASKS], memAt[TASKS], c[TASKS]; bool armed[TASKS], running[TASKS];

    atomic { id[me] = me; h = me;
        if :: me == 0 -> to[0] = NOBODY; to[1] = NOBODY; at[0] = 1; at[1] = 1; turn[0] = 1; turn[1] = 1; fence[0] = 1; fence[1] = 1; ready = true
           :: else -> ready fi }
    atomic { runner[h] = true; changes++ }                               /* from here on it gets its share */
    do
    :: atomic { CAN_LOAD(0) -> load(0) }
    :: atomic { CAN_LOAD(1) -> load(1) }
    :: atomic { CAN_ARM(0) -> arm(0) }
    :: atomic { CAN_ARM(1) -> arm(1) }
    :: atomic { CAN_FORGET(0) -> mem[0] = 0; memAt[0] = 0 }
    :: atomic { CAN_FORGET(1) -> mem[1] = 0; memAt[1] = 0 }
    :: atomic { CAN_START(0) -> start(0) }
    :: atomic { CAN_START(1) -> start(1) }
    :: atomic { CAN_TAKE(0) -> take(0) }
    :: atomic { CAN_TAKE(1) -> take(1) }
    :: atomic { running[0] -> finish(0) }
    :: atomic { running[1] -> finish(1) }
    :: atomic { deaths < DEATHS && !calm && !OVER ->                              /* killed, or frozen until it was declared dead; both begin anew */
        deaths++; gone[h] = true; changes++;
        if :: (armed[0] || running[0]) && taking[0] == c[0] -> believed[0] = false :: else fi;
        if :: (armed[1] || running[1]) && taking[1] == c[1] -> believed[1] = false :: else fi;
        mem[0] = 0; mem[1] = 0; memAt[0] = 0; memAt[1] = 0; c[0] = 0; c[1] = 0;
        armed[0] = false; armed[1] = false; running[0] = false; running[1] = false;
        ids++; h = ids; id[me] = h; runner[h] = true }
    :: atomic { lapsed[h] && !reaped[h] && !OVER -> lapsed[h] = false; changes++ }   /* renewed: nobody took anything from it */
    :: atomic { lapsed[h] && reaped[h] && !OVER ->                                /* it finds out; what runs goes on until its finish is refused */
        ids++; h = ids; id[me] = h; runner[h] = true; changes++ }
    :: OVER && !running[0] && !running[1] -> break
    od
}

/* Gives task t to one who has least of those that live. */
inline deal(t) {
    best = NOBODY; k = 0;
    do
    :: k <= ids ->
        if :: LIVES(k) && (best == NOBODY || HAS(k) < HAS(best)) -> best = k :: else fi; k++
    :: else -> break
    od;
    k = 0;
    if :: best != NOBODY -> state[t] = ASSIGNED; to[t] = best; turn[t] = at[t] + 1; RAISE(t) :: else fi;
    best = 0
}

inline give(t) {
    if :: f[t] != 0 && fence[t] == f[t] && (state[t] == PENDING || state[t] == ASSIGNED) -> deal(t) :: else fi;
    f[t] = 0
}

#define OPEN(t) (state[t] == PENDING && to[t] == NOBODY && clock < at[t])
#define ORPHAN(t) (state[t] == ASSIGNED && reaped[to[t]] && clock <= at[t])
#define UNEVEN (state[0] == ASSIGNED && state[1] == ASSIGNED && to[0] == to[1] && clock < at[0] && at[0] == at[1] && OTHER_LIVES)
#if IDS == 2
#define OTHER_LIVES ((LIVES(0) && to[0] != 0) || (LIVES(1) && to[0] != 1))
#elif IDS == 3
#define OTHER_LIVES ((LIVES(0) && to[0] != 0) || (LIVES(1) && to[0] != 1) || (LIVES(2) && to[0] != 2))
#else
#define OTHER_LIVES ((LIVES(0) && to[0] != 0) || (LIVES(1) && to[0] != 1) || (LIVES(2) && to[0] != 2) || (LIVES(3) && to[0] != 3))
#endif

active [ASSIGNERS] proctype assigner() {
    byte f[TASKS]; byte k, best, seen;
end:
    do
    :: atomic { ORPHAN(0) -> state[0] = PENDING; to[0] = NOBODY; turn[0] = at[0]; RAISE(0) }
    :: atomic { ORPHAN(1) -> state[1] = PENDING; to[1] = NOBODY; turn[1] = at[1]; RAISE(1) }
    :: atomic { OPEN(0) || OPEN(1) ->
            f[0] = (OPEN(0) -> fence[0] : 0); f[1] = (OPEN(1) -> fence[1] : 0); seen = changes };
        atomic { give(0); give(1);
            /* an even deal, if nobody came or went and nothing was moved meanwhile */
            assert(seen != changes || ASSIGNERS > 1 || !UNEVEN); seen = 0 }
#ifndef MUTANT_NO_EVEN_OUT
    :: atomic { UNEVEN -> f[1] = fence[1] };
        atomic { give(1) }
#endif
    :: atomic { OVER -> break }
    od
}

inline tick() {
    if
    :: calm -> assert(!UNEVEN); calm = false                             /* once there was time to share out, it is shared out evenly */
    :: else
    fi;
    clock++
}

active proctype time() {
    ready;
end:
    do
    :: atomic { clock < LAST && !OVER && !calm -> tick() }
    :: atomic { clock == 0 && !calm -> calm = true }
    :: atomic { timeout && calm -> tick() }
    :: atomic { !OVER && CAN_LAPSE(0) -> lapse(0) }
    :: atomic { !OVER && CAN_LAPSE(1) -> lapse(1) }
    :: atomic { !OVER && lapsed[0] && !reaped[0] -> reaped[0] = true }
    :: atomic { !OVER && lapsed[1] && !reaped[1] -> reaped[1] = true }
    :: atomic { moves < MOVES && !calm && (state[0] == PENDING || state[0] == ASSIGNED) ->   /* a person moves a task to a later instant */
        moves++; changes++; state[0] = PENDING; to[0] = NOBODY; at[0] = 2; turn[0] = 2; RAISE(0) }
    :: atomic { overdue < OVERDUE && state[0] == DOING && held[0] && believed[0] -> overdue++; held[0] = false }
    :: OVER -> break
    od
}
