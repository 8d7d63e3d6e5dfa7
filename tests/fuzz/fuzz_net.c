/* Fuzzes the engines of the network: both under the same traffic must be the same in
 * every cycle (tests/net/twins.h).
 *
 * Input: up to 8 bytes are the seed of a plan; the bytes behind set its chances, its
 * shape and parameters one by one, so that an input stays readable when it is reduced.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/net/params.h"
#include "tests/net/twins.h"

enum { LARGEST = 8, CYCLES = 40, LONGEST_WORDS = 6 };

typedef struct {
    const uint8_t *data;
    size_t size, at;
} Bytes;

/* Replaces `value` by a number below `bound` if there is a byte left. */
static void take(Bytes *bytes, unsigned *value, unsigned bound) {
    if (bytes->at < bytes->size)
        *value = bytes->data[bytes->at++] % bound;
}

/* A byte for each row; it reaches the least 256 values of a wide range. A value that
 * the plane engine does not run with is halved, above the least, until it does. */
static void change_params(NetParams *params, Bytes *bytes) {
    for (unsigned i = 0; i < PARAM_ROWS && bytes->at < bytes->size; i++) {
        const ParamRow *row = &param_rows[i];
        unsigned above = 0;
        take(bytes, &above, row->maximum - row->minimum + 1);
        while (above && !takes_value("plane", row, row->minimum + above))
            above /= 2;
        if (takes_value("plane", row, row->minimum + above))
            net_params_set(params, row->name, row->minimum + above, NULL);
    }
}

static void change(TwinsPlan *plan, Bytes *bytes) {
    unsigned x = plan->x - 1, y = plan->y - 1, z = plan->z - 1;
    change_params(&plan->params, bytes);
    take(bytes, &x, NET_MAX_X);
    take(bytes, &y, NET_MAX_Y);
    take(bytes, &z, NET_MAX_Z);
    take(bytes, &plan->open_chance, 256);
    take(bytes, &plan->gate_chance, 256);
    take(bytes, &plan->urgent_chance, 256);
    take(bytes, &plan->block_chance, 256);
    if ((x + 1) * (y + 1) * (z + 1) > LARGEST)
        return;
    plan->x = x + 1;
    plan->y = y + 1;
    plan->z = z + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint64_t seed = 0;
    const size_t seed_size = size < sizeof seed ? size : sizeof seed;
    if (seed_size)
        memcpy(&seed, data, seed_size);
    TwinsPlan plan = twins_plan(seed, LARGEST);
    Bytes rest = {data, size, seed_size};
    plan.cycles = CYCLES;
    plan.image_every = CYCLES;
    plan.longest_words = 1 + plan.longest_words % LONGEST_WORDS;
    change(&plan, &rest);
    char text[400];
    if (!twins_run(&plan, text, sizeof text))
        return 0;
    stop("the engines differ", text);
}
