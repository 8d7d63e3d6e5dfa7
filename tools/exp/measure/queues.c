/* Figures of the mean queues by node that models give. */
#include "tools/exp/measure/queues.h"

#include <math.h>
#include <stdlib.h>

#include "tools/exp/measure/nodes.h"

static bool is_middle(const unsigned at[3], const unsigned size[3], unsigned side) {
    return at[side] == size[side] / 2 || at[side] == (size[side] - 1) / 2;
}

static bool is_end(const unsigned at[3], const unsigned size[3], unsigned side) {
    return at[side] == 0 || at[side] == size[side] - 1;
}

/* Whether a node belongs to a part of the machine. */
static bool is_there(const unsigned at[3], const unsigned size[3], QueuesPlace place) {
    const bool plane = at[2] == (size[2] - 1) / 2;
    switch (place) {
    case QUEUES_PLANE:
        return plane;
    case QUEUES_MIDDLE:
        return is_middle(at, size, 0) && is_middle(at, size, 1) &&
               is_middle(at, size, 2);
    case QUEUES_CORNERS:
        return plane && is_end(at, size, 0) && is_end(at, size, 1);
    case QUEUES_ENDS_X:
        return plane && is_end(at, size, 0) && is_middle(at, size, 1);
    case QUEUES_ENDS_Y:
        return plane && is_middle(at, size, 0) && is_end(at, size, 1);
    default:
        return true;
    }
}

/* Queues that have been looked at. */
typedef struct {
    double sum, longest;
    unsigned count, at[3], size[3]; /* at: of the longest */
} Queues;

static void add(Queues *queues, double value, const unsigned at[3]) {
    queues->sum += value;
    queues->count++;
    if (queues->count > 1 && value <= queues->longest)
        return;
    queues->longest = value;
    for (unsigned d = 0; d < 3; d++)
        queues->at[d] = at[d];
}

/* Adds up the queues of a part of the machine. */
static Queues look(const Run *run, QueuesPlace place) {
    Queues queues = {.sum = 0};
    const json_t *list = json_object_get(run->record, "node_queue");
    for (unsigned i = 0; i < json_array_size(list); i++) {
        unsigned at[3];
        nodes_position(&run->settings, i, at, queues.size);
        if (is_there(at, queues.size, place))
            add(&queues, json_number_value(json_array_get(list, i)), at);
    }
    return queues;
}

double queues_mean(const Run *run, QueuesPlace place) {
    const Queues queues = look(run, place);
    return queues.count ? queues.sum / queues.count : NAN;
}

double queues_longest(const Run *run, QueuesPlace place) {
    const Queues queues = look(run, place);
    return queues.count ? queues.longest : NAN;
}

double queues_peak_x(const Run *run) {
    const Queues queues = look(run, QUEUES_ALL);
    if (!queues.count)
        return NAN;
    return fmin(queues.at[0], queues.size[0] - 1.0 - queues.at[0]);
}

/* Finds the mean queue of the middle columns by z. Returns Z, or 0 if there is no list
 * or the column is longer than `most`. */
static unsigned middle_column(const Run *run, double *by_z, unsigned most) {
    const json_t *list = json_object_get(run->record, "node_queue");
    unsigned size[3] = {0}, columns = 0;
    for (unsigned i = 0; i < json_array_size(list); i++) {
        unsigned at[3];
        nodes_position(&run->settings, i, at, size);
        if (size[2] > most)
            return 0;
        if (!is_middle(at, size, 0) || !is_middle(at, size, 1))
            continue;
        columns += at[2] == 0;
        by_z[at[2]] += json_number_value(json_array_get(list, i));
    }
    for (unsigned z = 0; z < size[2]; z++)
        by_z[z] /= columns;
    return size[2];
}

double queues_centres_z(const Run *run) {
    enum { MOST = 64 };
    const double shallow =
        0.9; /* of the lower peak: two centres have less in between */
    double by_z[MOST] = {0};
    const unsigned size = middle_column(run, by_z, MOST);
    if (size < 2)
        return NAN;
    unsigned low = 0, high = size - 1;
    for (unsigned z = 0; z < size / 2; z++)
        if (by_z[z] > by_z[low])
            low = z;
    for (unsigned z = size - 1; z >= size / 2; z--)
        if (by_z[z] > by_z[high])
            high = z;
    double valley = INFINITY;
    for (unsigned z = low; z <= high; z++)
        valley = fmin(valley, by_z[z]);
    return valley < shallow * fmin(by_z[low], by_z[high]) ? high - low : 0;
}
