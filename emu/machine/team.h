/* Threads that do the same piece of work together, again and again. */
#ifndef JM_MACHINE_TEAM_H
#define JM_MACHINE_TEAM_H

typedef struct Team Team;

/* Does the part of the work that belongs to `member`, 0 to members - 1. */
typedef void TeamWork(void *context, unsigned member);

/* Creates a team of `members`, 1 or more, of which the caller is number 0. It has fewer
 * if the host does not provide as many threads. NULL: no memory. */
Team *team_create(unsigned members);
void team_destroy(Team *team); /* NULL is ignored */
/* Returns the number of members, including the caller. */
unsigned team_members(const Team *team);

/* Lets every member work and returns when all have finished. All members see the
 * caller's earlier writes; the caller sees theirs afterwards. */
void team_work(Team *team, TeamWork *work, void *context);

#endif
