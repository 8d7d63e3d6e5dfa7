/* What a checkpoint holds: for checkpoint.c, which takes and restores it, and
 * savefile.c, which writes and reads it. */
#ifndef JM_MACHINE_CHECKPOINT_H
#define JM_MACHINE_CHECKPOINT_H

#include "emu/machine/machine.h"

/* Of the format of saved files. Whatever changes the order or the meaning of what an
 * archive holds, in any file that takes part, changes it. */
enum { CHECKPOINT_VERSION = 9 };

/* The pages of a node: `count` of JmCheckpoint.page from `first` on. */
typedef struct {
    uint32_t first, count;
} NodePages;

struct JmCheckpoint {
    JmConfig config;
    unsigned nodes;
    uint64_t now;
    Program *program;
    char *program_name;
    uint8_t *state; /* an archive of nodes, network and machine */
    size_t state_size;
    NodePages *node;  /* by rank */
    MemoryPage *page; /* held */
    uint32_t page_count;
};

/* Restores it; if not `trusted`, checks it: false, and a machine that can only be
 * destroyed, if it is none that a machine can be in. Without memory false, and the
 * machine is starved. */
bool checkpoint_restore(JmMachine *machine, const JmCheckpoint *checkpoint,
                        bool trusted);

#endif
