/* The contents of a checkpoint. For checkpoint.c, which takes and restores checkpoints,
 * and savefile.c, which writes and reads them as files. */
#ifndef JM_MACHINE_CHECKPOINT_H
#define JM_MACHINE_CHECKPOINT_H

#include "emu/machine/machine.h"

/* The version of saved files. Raise it whenever the order or the meaning of anything in
 * an archive changes, in whichever file. */
enum { CHECKPOINT_VERSION = 24 };

/* The pages of a node: entries [first, first + count) of JmCheckpoint.page. */
typedef struct {
    uint32_t first, count;
} NodePages;

struct JmCheckpoint {
    Heap *heap;           /* holds it */
    JmConfig config;      /* of the machine it was taken from */
    unsigned nodes;       /* number of nodes */
    uint64_t now;         /* cycle in which it was taken */
    Program *program;     /* the program loaded last, with a reference; NULL: none */
    char *program_name;   /* of the program; NULL: none */
    const uint8_t *state; /* an archive of nodes, network and machine */
    size_t state_size;
    NodePages *node;  /* by rank */
    MemoryPage *page; /* pages of all nodes, by node and number, each with a
                         reference */
    uint32_t page_count;
};

/* Returns the bytes of an archive that saved, which now belong to the heap; abandons
 * the work if the archive ran out of memory. */
uint8_t *checkpoint_bytes(Heap *heap, Archive *saved);
/* Restores a checkpoint. If it is not `trusted`, its state is checked, and false means
 * that it is not a possible state; false also without memory, and then the machine is
 * starved. After false the machine can only be destroyed. */
bool checkpoint_restore(JmMachine *machine, const JmCheckpoint *checkpoint,
                        bool trusted);

#endif
