/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/*
 * Who does what. Each scenario is a few processes; the last one to end finds
 * that nothing is counted that nobody holds.
 */

byte running_processes;

#define BEGIN atomic { running_processes++ }
#define END atomic { running_processes-- }

proctype user(byte t; byte g; byte times)
{
    do
    :: times > 0 ->
        acquire(t, g);
        if
        :: acquired[t] != 0 -> use(t); release(t)
        :: else
        fi;
        times--
    :: else -> break
    od;
    END
}

proctype user_without_stripe(byte t; byte g; byte times)
{
    do
    :: times > 0 ->
        acquire_shared(t, g);
        if
        :: acquired[t] != 0 -> use(t); release_shared(t)
        :: else
        fi;
        times--
    :: else -> break
    od;
    END
}

proctype closer(byte c; byte g; byte times)
{
    do
    :: times > 0 ->
        close_session(c, g, NONE);
        if
        :: result[c] == OK -> break
        :: else
        fi;
        times--
    :: else -> break
    od;
#if STOPS
stopped:
#endif
    END
}

#if SCENARIO == 1 /* one user, one closer that tries again */
init
{
    atomic {
        running_processes = 2;
        run drainer(0); run user(0, 1, 2); run closer(0, 1, 2)
    }

#elif SCENARIO == 2 /* two users, one closer */
init
{
    atomic {
        running_processes = 3;
        run drainer(0); run drainer(1);
        run user(0, 1, 1); run user(1, 1, 1); run closer(0, 1, 1)
    }

#elif SCENARIO == 3 /* one user, two closers */
init
{
    atomic {
        running_processes = 3;
        run drainer(0);
        run user(0, 1, 1); run closer(0, 1, 2); run closer(1, 1, 1)
    }

#elif SCENARIO == 4 /* a ticket is released on another thread */
bool handed;
proctype giver()
{
    acquire(0, 1);
    if
    :: acquired[0] != 0 ->
        use(0);
        fence(0);
        handed = true;
        acquire(0, 1);
        if
        :: acquired[0] != 0 -> use(0); release(0)
        :: else
        fi
    :: else
    fi;
    END
}
proctype taker()
{
    if
    :: handed -> release_remote(1, 0, 1, true)
    :: running_processes == 1 && !handed
    fi;
    END
}
init
{
    atomic {
        running_processes = 3;
        run drainer(0);
        run giver(); run taker(); run closer(0, 1, 2)
    }

#elif SCENARIO == 5 /* the closer is the one that used it; a second binds */
proctype closer_with_stripe()
{
    acquire(1, 1);
    use(1);
    release(1);
    fence(1);
    close_session(0, 1, 1);
    END
}
init
{
    atomic {
        running_processes = 2;
        run drainer(0); run drainer(1);
        run user(0, 1, 2); run closer_with_stripe()
    }

#elif SCENARIO == 6 /* holds on the shared counter */
proctype closer_with_stripe()
{
    close_session(0, 1, 1);
    if
    :: result[0] == STILL_HELD -> close_session(0, 1, 1)
    :: else
    fi;
    END
}
init
{
    atomic {
        running_processes = 3;
        run drainer(0); run drainer(2);
        run user_without_stripe(2, 1, 2); run user(0, 1, 1);
        run closer_with_stripe()
    }

#elif SCENARIO == 7 /* a closer stops inside CLOSING; users go on */
proctype going_on(byte t)
{
    acquire(t, 1);
    assert(acquired[t] != 0 || freed[1]);
    if
    :: acquired[t] != 0 -> use(t); release(t)
    :: else
    fi;
    END
}
init
{
    atomic {
        running_processes = 3;
        run drainer(0); run drainer(1);
        run going_on(0); run going_on(1); run closer(0, 1, 1)
    }

#elif SCENARIO == 8 /* the slot's next life, and a stale handle */
byte life = 1;
proctype user_of_both()
{
    acquire(0, 1);
    if
    :: acquired[0] != 0 -> use(0); release(0)
    :: else
    fi;
    if
    :: life == 2 ->
        acquire(0, 2);
        if
        :: acquired[0] != 0 -> use(0); release(0)
        :: else
        fi;
        acquire(0, 1);
        assert(acquired[0] == 0)
    :: true
    fi;
    END
}
proctype closer_of_both()
{
    close_session(0, 1, NONE);
    if
    :: result[0] == OK ->
        open_again(2);
        life = 2;
        close_session(0, 2, NONE);
        if
        :: result[0] == STILL_HELD -> close_session(0, 2, NONE)
        :: else
        fi
    :: else
    fi;
    END
}
init
{
    atomic {
        running_processes = 2;
        run drainer(0);
        run user_of_both(); run closer_of_both()
    }

#elif SCENARIO == 9 /* a copy of a ticket is released after the first */
bool copied;
byte life = 1;
proctype user_with_copy()
{
    acquire(0, 1);
    if
    :: acquired[0] != 0 -> use(0); release(0); fence(0); copied = true
    :: else
    fi;
    if
    :: life == 2 ->
        acquire(0, 2);
        if
        :: acquired[0] != 0 -> use(0); release(0)
        :: else
        fi
    :: true
    fi;
    END
}
proctype releaser_of_copy()
{
    if
    :: copied -> release_remote(1, 0, 1, false)
    :: true
    fi;
    END
}
proctype closer_of_both()
{
    close_session(0, 1, NONE);
    if
    :: result[0] == OK ->
        open_again(2);
        life = 2;
        close_session(0, 2, NONE)
    :: else
    fi;
    END
}
init
{
    atomic {
        running_processes = 3;
        run drainer(0);
        run user_with_copy(); run releaser_of_copy(); run closer_of_both()
    }

#elif SCENARIO == 10 /* nested holds, two closers */
proctype nester()
{
    acquire(0, 1);
    if
    :: acquired[0] != 0 ->
        use(0);
        acquire(0, 1);
        assert(acquired[0] != 0);
        release(0);
        acquired[0] = 1;
        use(0);
        release(0)
    :: else
    fi;
    END
}
init
{
    atomic {
        running_processes = 3;
        run drainer(0);
        run nester(); run closer(0, 1, 2); run closer(1, 1, 1)
    }

#elif SCENARIO == 11 /* a thread ends holding; another takes its stripe over */
bool ended;
bool has_left;
proctype leaver()
{
    acquire(0, 1);
    if
    :: acquired[0] != 0 -> use(0); has_left = true
    :: else
    fi;
    fence(0);
    ended = true;
    END
}
proctype adopter()
{
    ended;
    acquire(0, 1);
    if
    :: acquired[0] != 0 -> use(0); release(0)
    :: else
    fi;
    END
}
proctype releaser()
{
    ended;
    if
    :: has_left -> release_remote(1, 0, 1, true)
    :: else
    fi;
    END
}
init
{
    atomic {
        running_processes = 4;
        run drainer(0);
        run leaver(); run adopter(); run releaser(); run closer(0, 1, 2)
    }

#elif SCENARIO == 12 /* closers of two sessions share a barrier */
proctype closer_elsewhere()
{
    barrier(1);
    barrier(1);
    END
}
init
{
    atomic {
        running_processes = 3;
        run drainer(0);
        run user(0, 1, 2); run closer_elsewhere(); run closer(0, 1, 1)
    }

#elif SCENARIO == 13 /* MODE_FENCE: two users, two closers, no barrier */
init
{
    atomic {
        running_processes = 4;
        run drainer(0); run drainer(1);
        run user(0, 1, 1); run user(1, 1, 1);
        run closer(0, 1, 1); run closer(1, 1, 1)
    }
#endif

    running_processes == 0 && EMPTY(0) && EMPTY(1) && EMPTY(2);
    d_step {
        assert(holds[1] == 0 && holds[2] == 0);
        assert(acquiring == 0 && owed[0] == 0 && owed[1] == 0);
        assert(shared_count == 0);
        assert(balance[0] == remote_count[0]);
        assert(balance[1] == remote_count[1]);
        assert(balance[2] == remote_count[2])
    }
}
