/* Work comes every few microseconds, so members spin for it a while before they sleep.
 * A piece of work is a turn: the caller counts turns up, members count themselves
 * done. */
#include "emu/machine/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { SPINS = 3000, LINE_BYTES = 64 };

struct Team {
    unsigned members;
    TeamWork *work;
    void *context;
    bool over;
    pthread_mutex_t lock; /* for those who sleep */
    pthread_cond_t called;
    _Alignas(LINE_BYTES) _Atomic uint64_t turn;
    _Atomic unsigned sleepers;
    _Alignas(LINE_BYTES) _Atomic unsigned busy; /* members besides the caller */
    struct Member *member;
};

typedef struct Member {
    Team *team;
    unsigned number;
    pthread_t thread;
} Member;

/* The host's hint that this is a loop that waits. */
static inline void pause_briefly(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_pause();
#endif
}

static void sleep_until_called(Team *team, uint64_t done) {
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleepers, 1);
    while (atomic_load(&team->turn) == done)
        pthread_cond_wait(&team->called, &team->lock);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->lock);
}

static void wait_for_turn(Team *team, uint64_t done) {
    for (unsigned i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&team->turn, memory_order_acquire) != done)
            return;
        pause_briefly();
    }
    sleep_until_called(team, done);
}

static void call(Team *team) {
    atomic_fetch_add(&team->turn, 1);
    if (atomic_load(&team->sleepers) == 0)
        return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->called);
    pthread_mutex_unlock(&team->lock);
}

static void *member_life(void *argument) {
    const Member *member = argument;
    Team *team = member->team;
    for (uint64_t done = 0;; done++) {
        wait_for_turn(team, done);
        if (team->over)
            return NULL;
        team->work(team->context, member->number);
        atomic_fetch_sub_explicit(&team->busy, 1, memory_order_release);
    }
}

/* Signals are the caller's: a member that took one would not know what to do. */
static bool start_member(Member *member) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&member->thread, NULL, member_life, member);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}

Team *team_create(unsigned members) {
    Team *team = aligned_alloc(LINE_BYTES, sizeof *team);
    Member *member = calloc(members, sizeof *member);
    if (!team || !member) {
        free(team);
        free(member);
        return NULL;
    }
    *team = (Team){.members = 1, .member = member};
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->called, NULL);
    for (; team->members < members; team->members++) {
        member[team->members] = (Member){.team = team, .number = team->members};
        if (!start_member(&member[team->members]))
            break;
    }
    return team;
}

void team_destroy(Team *team) {
    if (!team)
        return;
    team->over = true;
    call(team);
    for (unsigned i = 1; i < team->members; i++)
        pthread_join(team->member[i].thread, NULL);
    pthread_cond_destroy(&team->called);
    pthread_mutex_destroy(&team->lock);
    free(team->member);
    free(team);
}

unsigned team_members(const Team *team) {
    return team->members;
}

void team_work(Team *team, TeamWork *work, void *context) {
    team->work = work;
    team->context = context;
    atomic_store_explicit(&team->busy, team->members - 1, memory_order_relaxed);
    call(team);
    work(context, 0);
    for (unsigned i = 1; atomic_load_explicit(&team->busy, memory_order_acquire); i++) {
        pause_briefly();
        if (i % SPINS == 0)
            sched_yield(); /* the host has fewer processors than members */
    }
}
