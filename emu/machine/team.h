/* Threads that do the same piece of work together, again and again. */
#ifndef JM_MACHINE_TEAM_H
#define JM_MACHINE_TEAM_H

#include "emu/core/heap.h"

typedef struct Team Team;

/* Does the part of the work that belongs to `member`, 0 to members - 1. */
typedef void TeamWork(void *context, unsigned member);

/* Creates a team of `members`, 1 or more, of which the caller is number 0; its threads
 * end with the heap. It has fewer if the host does not provide as many threads. */
Team *team_create(Heap *heap, unsigned members);
/* Returns the number of members, including the caller. */
unsigned team_members(const Team *team);

/* Lets every member work and returns when all have finished. All members see the
 * caller's earlier writes; the caller sees theirs afterwards. */
void team_work(Team *team, TeamWork *work, void *context);

#endif
