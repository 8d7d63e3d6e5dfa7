/* Shared by the fuzzers. */
#ifndef JM_TESTS_FUZZ_FUZZ_H
#define JM_TESTS_FUZZ_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "emu/jm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An input that shows a fault ends here. */
static inline _Noreturn void stop(const char *why, const char *text) {
    fprintf(stderr, "fuzz: %s: %s\n", why, text);
    abort();
}

static inline void drop_row(void *context, const char *row) {
    (void)context;
    (void)row;
}

/* A file in memory, whose text is there when it has been closed. */
static inline FILE *open_text(char **text, size_t *size) {
    FILE *out = open_memstream(text, size);
    if (!out)
        stop("no memory", "");
    return out;
}

/* The disassembly of an image, to be freed. */
static inline char *disassembly_of(const AsmObject *image, size_t *size) {
    char *text = NULL;
    FILE *out = open_text(&text, size);
    asm_disassemble(image, NULL, out);
    fclose(out);
    return text;
}

/* ---- machines -------------------------------------------------------------------- */

/* A machine that a fuzzer makes once and resets before every input: making one costs
 * more than most inputs do. */
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
