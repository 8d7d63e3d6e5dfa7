/* Shared by the machine tests: a program in MDP assembly on every node of a
 * new machine, its words by name, and a log of events. */
#ifndef TESTS_EMU_RIG_H
#define TESTS_EMU_RIG_H

#include "asm/objects/object.h"
#include "emu/jm.h"

typedef struct {
    unsigned count;
    JmEvent *event; /* in the order they happened */
    unsigned room;
} RigLog;

typedef struct {
    JmMachine *machine;
    AsmObject *image; /* of the program */
    RigLog log;
    char *output; /* what the program wrote, terminated */
} Rig;

/* Settings of parameters, up to one without a name. */
typedef struct {
    const char *name;
    uint64_t value;
} Setting;

#define SETTINGS(...)                                                                  \
    (const Setting[]) {                                                                \
        __VA_ARGS__, {                                                                 \
            NULL, 0                                                                    \
        }                                                                              \
    }

/* Sets them; fails the test if one is refused. */
void rig_configure(JmConfig *config, const Setting *settings);

/* Assembles and links `source` without the kernel, with rig_prelude before it, and
 * starts it on every node. Fails the test if anything is wrong. */
Rig *rig_open(unsigned x, unsigned y, unsigned z, const char *source);
/* The same on nodes in a row. */
Rig *rig_set(unsigned x, const char *source, const Setting *settings);
Rig *rig_open_with(const JmConfig *config, const char *source);
/* The same with the kernel, and without the prelude: `source` includes kernel.inc.
 * NULL if there is no machine of this configuration. */
Rig *rig_open_kernel(const JmConfig *config, const char *source);
void rig_close(Rig *rig);

/* Macros every program may use: see rig.c. */
extern const char rig_prelude[];

/* traffic.c: nodes with x > 0 send messages of both priorities to random nodes with
 * x = 0, from background, with pauses; the handlers there count in `total`, too slowly.
 * Never ends. */
extern const char rig_traffic[];

/* All kinds of events but the one of which there are most. */
enum { RIG_ALL_BUT_FLITS = ((1 << JM_EVENT_COUNT) - 1) & ~(1 << JM_EVENT_FLIT) };

/* Logs events of these kinds (bits 1 << JmEventKind) from now on. */
void rig_log(Rig *rig, uint32_t kinds);
/* The n-th logged event of a kind at a node (from 0); fails the test if there is none.
 */
const JmEvent *rig_event(const Rig *rig, JmEventKind kind, unsigned node, unsigned n);
unsigned rig_count(const Rig *rig, JmEventKind kind, unsigned node);

uint32_t rig_address(const Rig *rig, const char *symbol);
/* Word `offset` behind a symbol. */
JmWord rig_word(const Rig *rig, unsigned node, const char *symbol, uint32_t offset);
void rig_set_word(Rig *rig, unsigned node, const char *symbol, JmWord word);

JmNodeStatistics rig_statistics(const Rig *rig, unsigned node);
/* All rows of jm_explain(), one a line; the caller frees it. */
char *rig_explanation(const Rig *rig);
bool rig_tells(const Rig *rig, const char *part);
/* Fails the test unless part of the explanation is `part`. */
void rig_expect_told(const Rig *rig, const char *part);

/* The file of a machine; the caller frees its bytes. */
typedef struct {
    unsigned char *bytes;
    size_t size;
} RigFile;

RigFile rig_file(const JmMachine *machine);
bool rig_same_file(const RigFile *a, const RigFile *b);
/* The machine that its file makes. */
JmMachine *rig_copy(const JmMachine *machine);
/* Makes the rig's machine one that comes from its file. */
void rig_reload(Rig *rig);

/* Runs and fails the test unless it ends so. */
void rig_run(Rig *rig, uint64_t until_cycle, JmStop expected);
/* Runs so many cycles more, after which nothing must have ended the run. */
void rig_go_on(Rig *rig, uint64_t cycles);
/* Runs until a stop or a cycle, in runs of `slice` cycles. */
JmStop rig_run_in_slices(Rig *rig, uint64_t until_cycle, uint64_t slice);

#endif
