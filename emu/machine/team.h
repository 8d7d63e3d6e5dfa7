/* Threads that do the same piece of work together, again and again. */
#ifndef JM_MACHINE_TEAM_H
#define JM_MACHINE_TEAM_H

typedef struct Team Team;

/* The part of the work that member `member` does, 0 to members - 1. */
typedef void TeamWork(void *context, unsigned member);

/* A team of `members`, 1 or more; the caller is member 0. Fewer if the host does not
 * give as many threads; NULL if there is no memory. */
Team *team_create(unsigned members);
void team_destroy(Team *team); /* NULL is fine */
unsigned team_members(const Team *team);

/* Each member works; returns when all have. What the caller has written before is seen
 * by all, what they have written is seen by the caller. */
void team_work(Team *team, TeamWork *work, void *context);

#endif
