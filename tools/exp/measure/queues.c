#include "tools/exp/measure/queues.h"

#include <math.h>
#include <stdlib.h>

#include "tools/exp/measure/nodes.h"

/* Returns a number of a list; NaN if it has no such index. */
static double number_at(const ResultList *list, unsigned index) {
    return index < list->count ? list->value[index] : NAN;
}

/* Words of a message of the machine: payload and header; NaN for a named program, whose
 * messages differ. */
static double words_of(const Run *run) {
    return settings_text(&run->settings, "program")
               ? NAN
               : settings_number(&run->settings, "p") + 1;
}

double queues_flits(const Run *run) {
    const double flits_per_word = 2;
    return settings_text(&run->settings, "model")
               ? settings_number(&run->settings, "flits")
               : words_of(run) * flits_per_word;
}

static unsigned queues_count(const Run *run) {
    const Result *r = run->result;
    if (!r)
        return 0;
    return (unsigned)(r->node_queue.count ? r->node_queue.count : r->depth.count);
}

/* The machine's records are in hundredths of a word. */
double queues_at(const Run *run, unsigned node) {
    const Result *r = run->result;
    if (!r)
        return NAN;
    return r->node_queue.count ? number_at(&r->node_queue, node)
                               : number_at(&r->depth, node) / 100 / words_of(run);
}

double queues_all_at(const Run *run, unsigned node) {
    const ResultList *more = run->result ? &run->result->processor_queue : NULL;
    return queues_at(run, node) + (more && more->count ? number_at(more, node) : 0);
}

double queues_accepted_at(const Run *run, unsigned node) {
    return run->result ? number_at(&run->result->accepted, node) : NAN;
}

/* Whether a position lies in the middle of a dimension: for an even side, at either of
 * the two middle positions. */
static bool is_middle(const unsigned at[3], const unsigned size[3], unsigned side) {
    return at[side] == size[side] / 2 || at[side] == (size[side] - 1) / 2;
}

static bool is_end(const unsigned at[3], const unsigned size[3], unsigned side) {
    return at[side] == 0 || at[side] == size[side] - 1;
}

/* Whether a node counts. Corners and ends are those of the middle plane of Z, the lower
 * one if Z is even. */
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

typedef double NodeQueue(const Run *run, unsigned node);

/* Visits the queues of a place; without any the count is 0. */
static Queues look_at(const Run *run, QueuesPlace place, NodeQueue *queue) {
    Queues queues = {.sum = 0};
    for (unsigned i = 0; i < queues_count(run); i++) {
        unsigned at[3];
        nodes_position(&run->settings, i, at, queues.size);
        if (is_there(at, queues.size, place))
            add(&queues, queue(run, i), at);
    }
    return queues;
}

static Queues look(const Run *run, QueuesPlace place) {
    return look_at(run, place, queues_at);
}

double queues_mean(const Run *run, QueuesPlace place) {
    const Queues queues = look(run, place);
    return queues.count ? queues.sum / queues.count : NAN;
}

double queues_all_mean(const Run *run, QueuesPlace place) {
    const Queues queues = look_at(run, place, queues_all_at);
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

/* The mean queue of the middle columns by z, into `by_z`; returns Z, or 0 if there is
 * no list or too long a column. */
static unsigned middle_column(const Run *run, double *by_z, unsigned most) {
    unsigned size[3] = {0}, columns = 0;
    for (unsigned i = 0; i < queues_count(run); i++) {
        unsigned at[3];
        nodes_position(&run->settings, i, at, size);
        if (size[2] > most)
            return 0;
        if (!is_middle(at, size, 0) || !is_middle(at, size, 1))
            continue;
        columns += at[2] == 0;
        by_z[at[2]] += queues_at(run, i);
    }
    for (unsigned z = 0; z < size[2]; z++)
        by_z[z] /= columns;
    return size[2];
}

double queues_centres_z(const Run *run) {
    enum { MOST = 64 };
    const double shallow =
        0.9; /* of the lower peak: two centres have less between them */
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

double queues_upstream(const Run *run) {
    const unsigned nodes = (unsigned)run->result->accepted.count;
    double largest = NAN;
    for (unsigned node = 1; node + 2 < nodes; node++)
        largest = fmax(largest, queues_accepted_at(run, node) /
                                    queues_accepted_at(run, node + 1));
    return largest;
}

double queues_entering(const Run *run) {
    const unsigned nodes = (unsigned)run->result->accepted.count;
    double all = 0;
    for (unsigned node = 0; node < nodes; node++)
        all += queues_accepted_at(run, node);
    return nodes ? 1 - queues_accepted_at(run, 0) / all : NAN;
}
