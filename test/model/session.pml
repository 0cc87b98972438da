/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * The protocol of a shared session, as ffi_rt/memory has it, against its
 * contract. SCENARIO (scenarios.pml) says who does what; a MISTAKE_... takes
 * one thing out and must make some scenario fail.
 *
 * Memory. A plain store of a thread goes into its store buffer and reaches
 * memory later. Stores to different places may overtake each other, except
 * that a release store waits for all before it: this is weaker than x86-64.
 * A read-modify-write and a fence wait until the thread's own buffer is
 * empty. The membarrier empties the buffers of the others one after the
 * other, not all at once.
 *
 * Contract, by ghost variables that the protocol does not read:
 *   - a close that commits finds nobody holding (holds), and no store made
 *     under a hold reaches memory after it (freed);
 *   - a close says STILL_HELD only if a hold, or an acquire that succeeds,
 *     overlaps it (seen, owed); a hold overlaps until its release is in
 *     memory, for until then nobody can know that it came before the close;
 *   - an acquire fails only if the session is closed for good;
 *   - a release is refused only if the ticket is not good;
 *   - in the end nothing is counted that nobody holds.
 */

#if SCENARIO == 7
#define STOPS 1 /* a closer may stop for ever between CLOSING and the scan */
#endif
#if SCENARIO == 12
#define SHARED_BARRIER 1
#endif
#if SCENARIO == 13
#define MODE_FENCE 1
#endif

#define THREADS 3 /* with a stripe each; the closers have numbers of their own */
#define CLOSERS 2

/* word = generation | state */
#define OPEN(g) ((g) * 4)
#define CLOSING(g) ((g) * 4 + 1)
#define CLOSED(g) ((g) * 4 + 2)

byte word = OPEN(1);
byte shared_generation = 1;
byte shared_count;
bool lock;

/* Which stripes were ever bound in this life. */
#define NOBODY 0
#define ONLY(t) ((t) + 1)
#define SEVERAL 255
byte binder = NOBODY;

/* The stripes in memory, and as their owner sees them. */
byte generation[THREADS];
byte balance[THREADS];
byte own_generation[THREADS];
byte own_balance[THREADS];
byte remote_generation[THREADS];
byte remote_count[THREADS];

/* ------------------------------------------------------ store buffers --- */

#define PLACES 4
#define TO_BALANCE 1          /* relaxed */
#define TO_BALANCE_RELEASE 2
#define TO_GENERATION_RELEASE 3
#define TO_DATA 4             /* what the session protects */
#define TO_BINDER 5           /* by mistake alone */

typedef buffer {
    byte kind[PLACES];
    byte value[PLACES];
    byte length;
};
buffer buffers[THREADS];

#define EMPTY(t) (buffers[t].length == 0)

bool freed[3]; /* ghost: the life is over */

inline apply(t, i)
{
    d_step {
        if
        :: buffers[t].kind[i] == TO_BALANCE ||
           buffers[t].kind[i] == TO_BALANCE_RELEASE ->
            balance[t] = buffers[t].value[i]
        :: buffers[t].kind[i] == TO_GENERATION_RELEASE ->
            generation[t] = buffers[t].value[i]
        :: buffers[t].kind[i] == TO_DATA ->
            assert(!freed[buffers[t].value[i]])
        :: buffers[t].kind[i] == TO_BINDER ->
            if
            :: binder == NOBODY -> binder = buffers[t].value[i]
            :: binder == buffers[t].value[i] -> skip
            :: else -> binder = SEVERAL
            fi
        fi;
        place = i;
        do
        :: place + 1 < buffers[t].length ->
            buffers[t].kind[place] = buffers[t].kind[place + 1];
            buffers[t].value[place] = buffers[t].value[place + 1];
            place++
        :: else -> break
        od;
        buffers[t].length--;
        buffers[t].kind[buffers[t].length] = 0;
        buffers[t].value[buffers[t].length] = 0;
        place = 0
    }
}
byte place;

#define RELEASES(k) ((k) == TO_BALANCE_RELEASE || (k) == TO_GENERATION_RELEASE)
#define TO_ONE_PLACE(j, k) ((j) == (k) || (j) + (k) == 3)
#define PASSES(t, j, i) \
    (!TO_ONE_PLACE(buffers[t].kind[j], buffers[t].kind[i]))
#define MAY(t, i) (buffers[t].length > (i) && !RELEASES(buffers[t].kind[i]))

/* The thread's buffer reaches memory, in any order that is allowed. */
proctype drainer(byte t)
{
end:
    do
    :: atomic { buffers[t].length > 0 -> apply(t, 0) }
    :: atomic { MAY(t, 1) && PASSES(t, 0, 1) -> apply(t, 1) }
    :: atomic { MAY(t, 2) && PASSES(t, 0, 2) && PASSES(t, 1, 2) -> apply(t, 2) }
    :: atomic {
        MAY(t, 3) && PASSES(t, 0, 3) && PASSES(t, 1, 3) && PASSES(t, 2, 3) ->
        apply(t, 3)
       }
    od
}

inline put(t, k, v)
{
    atomic {
        buffers[t].length < PLACES ->
        buffers[t].kind[buffers[t].length] = k;
        buffers[t].value[buffers[t].length] = v;
        buffers[t].length++
    }
}

inline fence(t)
{
    EMPTY(t)
}

/* As an interrupt on that thread's processor. */
inline drain(t)
{
    atomic {
        do
        :: buffers[t].length > 0 -> apply(t, 0)
        :: else -> break
        od
    }
}

/* -------------------------------------------------------------- ghosts --- */

byte holds[3];       /* by generation */
byte acquiring;      /* a bit for each thread that is in an acquire */
bool closing[CLOSERS];
bool seen[CLOSERS];  /* a hold overlaps this close */
byte owed[CLOSERS];  /* one of these acquires must succeed */

inline ghost_acquired(t, g)
{
    holds[g]++;
    acquiring = acquiring & ~(1 << t);
    seen[0] = seen[0] | closing[0];
    seen[1] = seen[1] | closing[1];
    owed[0] = 0;
    owed[1] = 0
}

inline ghost_failed(t, g)
{
    assert(word != OPEN(g) && word != CLOSING(g));
    acquiring = acquiring & ~(1 << t);
    if
    :: owed[0] != 0 -> owed[0] = owed[0] & ~(1 << t); assert(owed[0] != 0)
    :: else
    fi;
    if
    :: owed[1] != 0 -> owed[1] = owed[1] & ~(1 << t); assert(owed[1] != 0)
    :: else
    fi
}

inline ghost_still_held(c)
{
    if
    :: !seen[c] -> assert(acquiring != 0); owed[c] = acquiring
    :: else
    fi;
    closing[c] = false;
    seen[c] = false
}

/* -------------------------------------------------------------- acquire --- */

/* The first time that thread t uses this life. */
inline bind(t, g)
{
    atomic {
        if
        :: word == OPEN(g) || word == CLOSING(g) -> failed[t] = false
        :: else -> failed[t] = true; ghost_failed(t, g)
        fi
    }
    if
    :: failed[t]
    :: else ->
        /* the remote counter's part of this life: a read-modify-write */
        atomic { EMPTY(t) -> remote_generation[t] = g }
#ifdef MISTAKE_RELAXED_BIND
        put(t, TO_BINDER, ONLY(t));
#else
        atomic {
            EMPTY(t) ->
            if
            :: binder == NOBODY -> binder = ONLY(t)
            :: binder == ONLY(t) -> skip
            :: else -> binder = SEVERAL
            fi
        }
#endif
        own_generation[t] = g;
        put(t, TO_GENERATION_RELEASE, g)
#ifndef MISTAKE_RELAXED_BIND
        ;fence(t)
#endif
    fi
}
bool failed[THREADS];
byte found[THREADS];

/* After the hold was published: the word decides. */
inline judge(t, g)
{
    atomic {
        found[t] = word;
        if
        :: found[t] == OPEN(g) -> ghost_acquired(t, g)
#ifdef MISTAKE_NO_VETO
        :: found[t] == CLOSING(g) -> ghost_acquired(t, g)
#endif
        :: else
        fi
    }
#ifndef MISTAKE_NO_VETO
    if
    :: found[t] == CLOSING(g) ->
        atomic {
            EMPTY(t) ->
            if
            :: word == CLOSING(g) ->
                word = OPEN(g); found[t] = OPEN(g); ghost_acquired(t, g)
            :: word == OPEN(g) -> found[t] = OPEN(g); ghost_acquired(t, g)
            :: else -> found[t] = word
            fi
        }
    :: else
    fi
#endif
}

/* acquired[t] is the generation, or 0. */
inline acquire(t, g)
{
    atomic { acquired[t] = 0; failed[t] = false; acquiring = acquiring | (1 << t) }
    if
    :: own_generation[t] != g -> bind(t, g)
    :: else
    fi;
    if
    :: failed[t]
    :: else ->
#ifdef MISTAKE_LOAD_FIRST
        judge(t, g);
#endif
        own_balance[t]++;
        put(t, TO_BALANCE, own_balance[t]);
#if MODE_FENCE && !defined(MISTAKE_NO_FENCE)
        fence(t);
#endif
#ifdef MISTAKE_TRY_AGAIN
        if
        :: word == CLOSING(g) ->
            own_balance[t]--;
            put(t, TO_BALANCE_RELEASE, own_balance[t]);
            own_balance[t]++;
            put(t, TO_BALANCE, own_balance[t])
        :: else
        fi;
#endif
#ifndef MISTAKE_LOAD_FIRST
        judge(t, g);
#endif
        if
        :: found[t] == OPEN(g) || found[t] == CLOSING(g) -> acquired[t] = g
        :: else ->
#ifndef MISTAKE_NO_UNDO
            own_balance[t]--;
            put(t, TO_BALANCE_RELEASE, own_balance[t]);
#endif
            atomic { ghost_failed(t, g) }
        fi
    fi
}
byte acquired[THREADS];

inline use(t)
{
    put(t, TO_DATA, acquired[t])
}

#ifdef MISTAKE_RELAXED_RELEASE
#define RELEASE_KIND TO_BALANCE
#else
#define RELEASE_KIND TO_BALANCE_RELEASE
#endif

inline release(t)
{
    atomic {
        own_balance[t]--;
        put(t, RELEASE_KIND, own_balance[t]);
        holds[acquired[t]]--;
        acquired[t] = 0
    }
}

/* The counter has its life in the same word. */
#ifdef MISTAKE_REMOTE_WITHOUT_LIFE
#define FIRST_SAME_LIFE(r, g) (generation[r] == g)
#define SAME_LIFE(r, g) true
#else
#define FIRST_SAME_LIFE(r, g) (remote_generation[r] == g)
#define SAME_LIFE(r, g) (remote_generation[r] == g)
#endif

/* Thread t releases a ticket of the stripe r. `good`: it must be counted. */
inline release_remote(t, r, g, good)
{
    do
    :: atomic {
        EMPTY(t) ->
        found[t] = remote_count[r];
        failed[t] = !FIRST_SAME_LIFE(r, g)
       }
       failed[t] = (failed[t] || balance[r] == found[t]);
       if
       :: failed[t] -> assert(!good); break
       :: else -> atomic {
            if
            :: remote_count[r] == found[t] && SAME_LIFE(r, g) ->
                remote_count[r]++;
                if
                :: good -> holds[g]--
                :: else
                fi;
                break
            :: else
            fi
          }
       fi
    od
}

/* Without a stripe. */
inline acquire_shared(t, g)
{
    atomic {
        acquired[t] = 0;
        failed[t] = false;
        acquiring = acquiring | (1 << t)
    }
    atomic {
        if
        :: shared_generation == g -> shared_count++
        :: else -> failed[t] = true; ghost_failed(t, g)
        fi
    }
    if
    :: failed[t]
    :: else ->
        judge(t, g);
        if
        :: found[t] == OPEN(g) || found[t] == CLOSING(g) -> acquired[t] = g
        :: else -> atomic {
            if
            :: shared_generation == g -> shared_count--
            :: else
            fi;
            ghost_failed(t, g)
           }
        fi
    fi
}

inline release_shared(t)
{
    atomic {
        EMPTY(t) ->
        assert(shared_generation == acquired[t]);
        holds[acquired[t]]--;
        shared_count--;
        acquired[t] = 0
    }
}

/* ---------------------------------------------------------------- close --- */

#define OK 1
#define STILL_HELD 2
#define ALREADY_CLOSED 3
byte result[CLOSERS];
bool held[CLOSERS];
bool alone[CLOSERS];
byte at[CLOSERS];
byte part[CLOSERS];

inline scan(c, g)
{
    held[c] = false;
    at[c] = 0;
    do
    :: at[c] < THREADS ->
        if
#ifdef MISTAKE_SCAN_ANY_LIFE
        :: true ->
#else
        :: generation[at[c]] == g ->
#endif
            part[c] = remote_count[at[c]];
            if
            :: balance[at[c]] != part[c] -> held[c] = true
            :: else
            fi
        :: else
        fi;
        at[c]++
    :: else -> break
    od;
    at[c] = 0;
    part[c] = 0
#ifndef MISTAKE_SHARED_FORGOTTEN
    ;if
    :: shared_generation == g && shared_count != 0 -> held[c] = true
    :: else
    fi
#endif
}

/* One that began after the word was CLOSING: of its own, or another's. */
inline barrier(c)
{
#if !defined(MISTAKE_NO_BARRIER) && !MODE_FENCE
#if SHARED_BARRIER
#ifdef MISTAKE_OLD_BARRIER
    atomic { wanted[c] = begun + !running }
#else
    atomic { wanted[c] = begun + 1 }
#endif
    do
    :: ended_barriers >= wanted[c] -> break
    :: atomic { ended_barriers < wanted[c] && !running -> running = true; begun++ }
       drain(0); drain(1); drain(2);
       atomic { running = false; ended_barriers = begun }
    od
#else
    drain(0);
    drain(1);
    drain(2)
#endif
#else
    skip
#endif
}
byte begun;
byte ended_barriers;
bool running;
byte wanted[CLOSERS];

#define LINGERS_AT(t, i) (buffers[t].kind[i] == TO_BALANCE_RELEASE)
#define LINGERS(t) \
    (LINGERS_AT(t, 0) || LINGERS_AT(t, 1) || LINGERS_AT(t, 2) || \
     LINGERS_AT(t, 3))

/* The closer has the stripe `mine` (its buffer is empty by the first RMW), or
 * NONE. */
#define NONE 100

inline begin_close(c, g)
{
    result[c] = 0;
    atomic {
        closing[c] = true;
        seen[c] = (holds[g] != 0 || LINGERS(0) || LINGERS(1) || LINGERS(2));
        if
        :: word != OPEN(g) && word != CLOSING(g) ->
            result[c] = ALREADY_CLOSED; closing[c] = false; seen[c] = false
        :: else
        fi
    }
}

inline recheck(c, g)
{
    atomic {
        if
        :: word != OPEN(g) && word != CLOSING(g) ->
            result[c] = ALREADY_CLOSED; closing[c] = false; seen[c] = false
        :: else
        fi
    }
}

inline take_lock()
{
#ifndef MISTAKE_NOT_SERIALISED
    atomic { !lock -> lock = true }
#else
    skip
#endif
}

inline prescan(c, g)
{
    scan(c, g);
    if
    :: held[c] -> atomic { result[c] = STILL_HELD; ghost_still_held(c) }
    :: else
    fi
}

inline commit(c, g)
{
#ifdef MISTAKE_PLAIN_COMMIT
    atomic {
        word = CLOSED(g);
#else
    atomic {
        if
        :: word != CLOSING(g) -> result[c] = STILL_HELD; ghost_still_held(c)
        :: else ->
            word = CLOSED(g);
#endif
            assert(holds[g] == 0);
            freed[g] = true;
            result[c] = OK;
            closing[c] = false;
            seen[c] = false
#ifndef MISTAKE_PLAIN_COMMIT
        fi
#endif
    }
}

inline roll_back(c, g)
{
    atomic {
        if
        :: word == CLOSING(g) -> word = OPEN(g)
        :: else
        fi;
        result[c] = STILL_HELD;
        ghost_still_held(c)
    }
}

inline decide(c, g, mine)
{
    /* a CAS, and a fence after it */
    atomic {
        if
        :: word == OPEN(g) -> word = CLOSING(g)
        :: else
        fi
    }
    alone[c] = (binder == NOBODY || (mine != NONE && binder == ONLY(mine)));
#ifdef MISTAKE_ALWAYS_ALONE
    alone[c] = true;
#endif
    if
    :: alone[c]
    :: else -> barrier(c)
    fi;
#if STOPS
    if
    :: true -> result[c] = STILL_HELD; seen[c] = true; goto stopped
    :: true
    fi;
#endif
    scan(c, g);
    if
    :: held[c] -> roll_back(c, g)
    :: else -> commit(c, g)
    fi
}

/* `mine`: the stripe of the closing thread, or NONE. */
inline close_session(c, g, mine)
{
    begin_close(c, g);
#ifdef MISTAKE_EARLY_SCAN
    if
    :: result[c] == 0 -> prescan(c, g)
    :: else
    fi;
#endif
    if
    :: result[c] == 0 ->
        take_lock();
        recheck(c, g);
#ifndef MISTAKE_EARLY_SCAN
        if
        :: result[c] == 0 -> prescan(c, g)
        :: else
        fi;
#endif
        if
        :: result[c] == 0 -> decide(c, g, mine)
        :: else
        fi;
        lock = false
    :: else
    fi
}

/* By the thread that closed it, before anybody knows the new life. */
inline open_again(g)
{
    atomic {
        shared_generation = g;
        shared_count = 0;
        binder = NOBODY;
        word = OPEN(g)
    }
}

#include "scenarios.pml"
