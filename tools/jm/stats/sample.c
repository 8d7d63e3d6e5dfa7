/* Writes samples of a run as CSV; samples.def has the columns. */
#include "tools/jm/stats/sample.h"

#include <inttypes.h>

#include "tools/jm/stats/stats.h"

/* A row of the file. */
typedef struct {
#define SAMPLE(column, text) uint64_t column;
#include "tools/jm/stats/samples.def"
#undef SAMPLE
} Row;

bool sample_open(Sample *sample, JmMachine *machine, const char *path, uint64_t every,
                 JmError *error) {
    *sample = (Sample){.machine = machine, .every = every};
    sample->last = UINT64_MAX;
    sample->next = jm_now(machine) - jm_now(machine) % every + every;
    if (!jm_outfile_open(&sample->file, path, jm_inputs(machine), error))
        return false;
    const char *separator = "";
#define SAMPLE(column, text)                                                           \
    fprintf(sample->file.stream, "%s" #column, separator);                             \
    separator = ",";
#include "tools/jm/stats/samples.def"
#undef SAMPLE
    putc('\n', sample->file.stream);
    return true;
}

/* Adds the queue of one node and priority to a total and a maximum. */
static void add_queue(uint64_t *total, uint64_t *max, uint32_t words) {
    *total += words;
    if (words > *max)
        *max = words;
}

/* The fields are the columns of samples.def: a missing initialiser would leave a zero.
 */
static Row take_row(const JmMachine *machine) {
    const JmNodeStatistics totals = jm_statistics(machine);
    JmNetworkStatistics network;
    jm_network_statistics(machine, &network);
    Row row = {
        .cycle = jm_now(machine),
        .instructions = totals.instructions,
        .messages = totals.messages_in[0] + totals.messages_in[1],
        .overflows = totals.overflows[0] + totals.overflows[1],
        .flits = network.flits[0] + network.flits[1] + network.flits[2],
    };
    for (unsigned node = 0; node < jm_node_count(machine); node++) {
        row.busy_nodes +=
            jm_task_active(machine, node, 0) || jm_task_active(machine, node, 1);
        add_queue(&row.queue_words, &row.queue_max, jm_queue_words(machine, node, 0));
        add_queue(&row.queue1_words, &row.queue1_max, jm_queue_words(machine, node, 1));
    }
    return row;
}

void sample_row(Sample *sample) {
    if (!sample->file.stream)
        return;
    const uint64_t now = jm_now(sample->machine);
    if (now == sample->last)
        return;
    sample->last = now;
    const uint64_t to_next = sample->every - now % sample->every;
    sample->next = now > UINT64_MAX - to_next ? UINT64_MAX : now + to_next;
    const Row row = take_row(sample->machine);
    const char *separator = "";
#define SAMPLE(column, text)                                                           \
    fprintf(sample->file.stream, "%s%" PRIu64, separator, row.column);                 \
    separator = ",";
#include "tools/jm/stats/samples.def"
#undef SAMPLE
    putc('\n', sample->file.stream);
}
