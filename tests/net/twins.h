/* Networks of different engines, or one and the reference network, under the same
 * random traffic: compared cycle by cycle in all that a client can see, with the
 * reference in every flit's move, and periodically in every flit of their state.
 * Uses no test framework: the fuzzer uses this too. */
#ifndef JM_TESTS_NET_TWINS_H
#define JM_TESTS_NET_TWINS_H

#include "emu/core/rng.h"
#include "net/net.h"

/* Chances are per mille and cycle. */
typedef struct {
    unsigned x, y, z;
    const char *engines[2]; /* of one network alone the second is NULL */
    bool reference;         /* goes along with the first, which is of "graph" */
    NetParams params;
    uint64_t seed;
    unsigned cycles;
    unsigned image_every;   /* cycles between comparisons of the whole state */
    unsigned open_chance;   /* an idle sender opens a message */
    unsigned offer_chance;  /* a sender in mid-message offers a word or two */
    unsigned gate_chance;   /* some gate is closed for a while */
    unsigned hot_chance;    /* a message goes to the last node */
    unsigned urgent_chance; /* a message is of priority 1 */
    unsigned block_chance;  /* a direction of some wire is blocked or freed */
    unsigned longest_words;
    bool other_fair; /* the second network arbitrates the other way: they must differ */
} TwinsPlan;

/* A plan drawn from a seed: any shape up to `largest` nodes, any parameters. */
TwinsPlan twins_plan(uint64_t seed, unsigned largest);

/* Runs the plan and drains both. NULL if they never differed, otherwise a sentence in
 * `text` about where they did. */
const char *twins_run(const TwinsPlan *plan, char *text, size_t size);

#endif
