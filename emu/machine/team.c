/* A team of threads that do pieces of work together. Work comes every few microseconds,
 * so members spin for a while before they sleep. Each piece is a turn: the caller
 * increments the turn, and each member compares it with the turns it has done. */
#include "emu/machine/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* iterations before sleeping: some microseconds */
enum { SPINS = 3000, LINE_BYTES = 64 };

/* A team. Fields that members write while others spin have cache lines of their own. */
struct Team {
    unsigned members; /* including the caller */
    TeamWork *work;   /* of this turn */
    void *context;
    bool over;             /* set before the last turn: members end */
    pthread_mutex_t lock;  /* protects `called` */
    pthread_cond_t called; /* wakes sleeping members */
    _Alignas(LINE_BYTES) _Atomic uint64_t turn; /* turns that have begun */
    _Atomic unsigned sleepers;                  /* members that sleep or are about to */
    /* members besides the caller that have not done this turn */
    _Alignas(LINE_BYTES) _Atomic unsigned busy;
    struct Member *member;
};

/* A member that has a thread; the caller has none. */
typedef struct Member {
    Team *team;
    unsigned number;
    pthread_t thread;
} Member;

/* Tells the host that this is a waiting loop. */
static inline void pause_briefly(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_pause();
#endif
}

/* Sleeps until another turn than the `done`-th has begun. The turn is read again after
 * incrementing `sleepers`, so no call is missed. */
static void sleep_until_called(Team *team, uint64_t done) {
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleepers, 1);
    while (atomic_load(&team->turn) == done)
        pthread_cond_wait(&team->called, &team->lock);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->lock);
}

/* Waits for the next turn. */
static void wait_for_turn(Team *team, uint64_t done) {
    for (unsigned i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&team->turn, memory_order_acquire) != done)
            return;
        pause_briefly();
    }
    sleep_until_called(team, done);
}

/* Begins a turn. */
static void call(Team *team) {
    atomic_fetch_add(&team->turn, 1);
    if (atomic_load(&team->sleepers) == 0)
        return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->called);
    pthread_mutex_unlock(&team->lock);
}

/* The main function of a member's thread: turn after turn. */
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

/* Starts a member's thread with all signals blocked: they are the caller's. */
static bool start_member(Member *member) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&member->thread, NULL, member_life, member);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}

static void end_team(void *what) {
    Team *team = what;
    team->over = true;
    call(team);
    for (unsigned i = 1; i < team->members; i++)
        pthread_join(team->member[i].thread, NULL);
    pthread_cond_destroy(&team->called);
    pthread_mutex_destroy(&team->lock);
}

Team *team_create(Heap *heap, unsigned members) {
    Team *team = heap_lines(heap, sizeof *team);
    Member *member = heap_alloc(heap, members * sizeof *member);
    *team = (Team){.members = 1, .member = member};
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->called, NULL);
    heap_at_end(heap, end_team, team);
    for (; team->members < members; team->members++) {
        member[team->members] = (Member){.team = team, .number = team->members};
        if (!start_member(&member[team->members]))
            break;
    }
    return team;
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
