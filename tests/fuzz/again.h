/* Machines that a fuzzer makes once and resets before every input: making one costs
 * more than most inputs do. For tests/fuzz only. */
#ifndef JM_TESTS_FUZZ_AGAIN_H
#define JM_TESTS_FUZZ_AGAIN_H

#include <stdlib.h>
#include <string.h>

#include "emu/jm.h"

typedef struct {
    JmMachine *machine;
    JmCheckpoint *start; /* as it was made */
} Again;

/* Returns the machine as it was made: of `config`, with a text image unless that is
 * NULL. The first call makes it. */
static inline JmMachine *again(Again *a, const JmConfig *config, const char *image) {
    if (a->machine)
        return a->machine;
    a->machine = jm_create(config, NULL);
    if (!a->machine ||
        (image && !jm_load_text(a->machine, image, strlen(image), "image", NULL)))
        abort();
    a->start = jm_checkpoint(a->machine);
    if (!a->start)
        abort();
    return a->machine;
}

/* Takes the machine back. This stands at the end of an input: libFuzzer runs one that
 * frees less than it allocates once more, to look for leaks. */
static inline void again_back(Again *a) {
    if (!jm_restore(a->machine, a->start))
        abort();
}

#endif
