/* A team of one, where there are no threads: emu/machine/team.h. */
#include "emu/machine/team.h"

struct Team {
    unsigned members;
};

Team *team_create(Heap *heap, unsigned members) {
    (void)members;
    Team *team = heap_alloc(heap, sizeof *team);
    team->members = 1;
    return team;
}

unsigned team_members(const Team *team) {
    return team->members;
}

void team_work(Team *team, TeamWork *work, void *context) {
    (void)team;
    work(context, 0);
}
