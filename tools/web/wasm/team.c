/* A team of one, where there are no threads: emu/machine/team.h. */
#include "emu/machine/team.h"

#include <stdlib.h>

struct Team {
    unsigned members;
};

Team *team_create(unsigned members) {
    (void)members;
    Team *team = calloc(1, sizeof *team);
    if (team)
        team->members = 1;
    return team;
}

void team_destroy(Team *team) {
    free(team);
}

unsigned team_members(const Team *team) {
    return team->members;
}

void team_work(Team *team, TeamWork *work, void *context) {
    (void)team;
    work(context, 0);
}
