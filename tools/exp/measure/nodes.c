/* Node ranks and positions: rank = x + X (y + Y z). */
#include "tools/exp/measure/nodes.h"

#include <stdlib.h>

void nodes_position(const Settings *settings, unsigned rank, unsigned at[3],
                    unsigned size[3]) {
    const char *text = settings_text(settings, "mesh");
    for (unsigned d = 0; d < 3; d++) {
        char *end;
        size[d] = (unsigned)strtoul(text, &end, 10);
        text = end + 1;
        at[d] = rank % size[d];
        rank /= size[d];
    }
}

bool nodes_on_surface(const unsigned at[3], const unsigned size[3]) {
    for (unsigned d = 0; d < 3; d++)
        if (at[d] == 0 || at[d] + 1 == size[d])
            return true;
    return false;
}
