/* The J-Machine as a library: the public interface. Link with -ljm (pkg-config jm).
 *
 * A machine is a mesh of Message-Driven Processors and the network between them, run in
 * lock step, cycle by cycle. Nothing is global: two machines in one process do not
 * interact. Same program, configuration and seed: the same cycles and the same memory.
 *
 * Units: addresses are 20-bit word addresses, times are machine cycles, a node is named
 * by its rank = x + X*(y + Y*z).
 *
 * Invalid calls of any function fail an assertion, which stops the program: a rank,
 * priority, context, register, dimension, index or address out of range; a word with a
 * tag above 15; NULL where no comment allows it; changing or running a machine from an
 * observer or an output writer. A JmError may be NULL, and so may the name of a program
 * or machine loaded from memory. Host failures are returned, with text and place in a
 * JmError the caller owns.
 *
 * Running out of memory is such a failure. Where a call cannot return one, the machine
 * is starved: work that it had to do is lost, so jm_run() returns JM_STOP_MEMORY,
 * jm_checkpoint() and jm_save() refuse it, and all that is left is to inspect it, to
 * destroy it, or to recover it with jm_restore(). */
#ifndef JM_H
#define JM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/core/inputs.h"
#include "emu/core/status.h"
#include "emu/core/word.h"
#include "emu/isa/event.h"
#include "emu/isa/isa.h"
#include "emu/node/interface.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct JmMachine JmMachine;

enum {
    JM_MAX_X = 32,
    JM_MAX_Y = 32,
    JM_MAX_Z = 64,
    JM_NETWORK_PARAMS = 24,
    JM_TOPOLOGY_TEXT = 96
};

/* Versions are semantic: functions, fields and values are added in minor versions, and
 * removed or given another meaning in major ones, after which libjm.so has another
 * number. The order of fields in structures may change in minor ones, except of those
 * that a caller makes itself (JmError, JmWord). */
#define JM_VERSION "1.0.0"
/* Returns the version of the library that is linked. */
const char *jm_version(void);

/* ---- configuration --------------------------------------------------------------- */

typedef struct {
    unsigned size_x, size_y, size_z;     /* mesh; 1x1x1 by default */
    char topology[JM_TOPOLOGY_TEXT];     /* set by jm_config_topology(); "": the mesh as
                                            built */
    uint64_t seed;                       /* of the run; 1 by default */
    JmTiming timing;                     /* processor timing (isa/timing.def) */
    uint32_t network[JM_NETWORK_PARAMS]; /* set these by jm_config_set() */
    JmInterface interface;               /* of nodes to the network
                                            (node/interface.def) */
    const char *engine;                  /* moves the flits: "auto" (also NULL), "plane"
                                            or "graph"; results do not depend on it; not
                                            copied */
    uint64_t deadlock_cycles;            /* without progress: deadlock */
    double clock_hz;                     /* to convert cycles to time; 10 MHz */
    bool host_page;                      /* FFF00-FFF0F reach the host; true */
    bool keep_going; /* a stopped node does not end the run; false */
} JmConfig;

/* Returns the default of every field: the machine as built, on a mesh of 1x1x1. */
JmConfig jm_config_default(void);

/* Sets a named parameter: a row of isa/timing.def, net/params.def or
 * node/interface.def, or deadlock_cycles. Returns false and a message if there is no
 * such name or the value is out of its range. */
bool jm_config_set(JmConfig *config, const char *name, uint64_t value, JmError *error);

/* Connects the nodes by another network, such as "torus=8x8x8,lanes=2" (the topologies
 * of `jm net` with channels for two priorities). Sets the sizes, and the parameters of
 * the network that it needs; jm_config_set() may change these afterwards. Returns false
 * and a message if the specification is malformed or such a network cannot connect
 * nodes. */
bool jm_config_topology(JmConfig *config, const char *specification, JmError *error);

/* A named parameter, with its bounds. jm_parameter() walks them: index 0.. until
 * NULL. */
typedef struct {
    const char *name, *text, *source;
    uint64_t standard, minimum, maximum;
} JmParameter;
const JmParameter *jm_parameter(unsigned index);
/* Returns the value of parameter `index` in `config`. */
uint64_t jm_config_get(const JmConfig *config, unsigned index);

/* Creates a machine at reset; NULL and a message if the mesh or a parameter is out of
 * range, or if there is no memory. The caller destroys it. */
JmMachine *jm_create(const JmConfig *config, JmError *error);
void jm_destroy(JmMachine *machine); /* NULL is ignored */

/* Returns the configuration that the machine was created with; it lives as long as the
 * machine. */
const JmConfig *jm_config(const JmMachine *machine);
/* Replaces the seed that a machine's program reads from now on, so that runs from the
 * same checkpoint can differ. */
void jm_set_seed(JmMachine *machine, uint64_t seed);
unsigned jm_node_count(const JmMachine *machine);
/* Returns the coordinates of a node, which follow from its rank and the mesh. */
void jm_node_position(const JmMachine *machine, unsigned node, unsigned *x, unsigned *y,
                      unsigned *z);

/* ---- programs -------------------------------------------------------------------- */

enum { JM_ALL_NODES = -1 };

/* Loads a program into one node or into all (JM_ALL_NODES); such nodes are started, the
 * others count as idle. jm_load_file takes an ELF image or a text image (rows `NODE
 * HEXADDR HEXWORD`, `*` for all nodes, `#` comments; a text image names its own nodes).
 * A file that is not ELF is taken as text. Relocatable objects are refused. Returns
 * false and a message if the program cannot be loaded; if memory ran out, the machine
 * may be starved. */
bool jm_load_file(JmMachine *machine, const char *path, int node, JmError *error);
bool jm_load_elf(JmMachine *machine, const void *bytes, size_t size, const char *name,
                 int node, JmError *error);
bool jm_load_text(JmMachine *machine, const char *text, size_t size, const char *name,
                  JmError *error);

/* Returns the name given to the program loaded last (jm_load_file: its path), or NULL
 * if there is none. */
const char *jm_program_name(const JmMachine *machine);

/* Returns the register of files from which the machine was loaded (jm_load_file,
 * jm_load_saved), which jm_save() never replaces. A front end adds the other files it
 * has read, and passes the register on when it opens outputs (emu/core/outfile.h). */
JmInputs *jm_inputs(JmMachine *machine);

/* A place that a name refers to. */
typedef struct {
    uint32_t value;   /* of a symbol in a section, its word address */
    bool word;        /* it is in a section, that is, names a word of memory */
    const char *file; /* source in which it is defined; NULL: unknown */
    int line;         /* 0: unknown */
} JmSymbolPlace;

/* Finds the places of "label" or "FILE:label" in the ELF image loaded last: locals of
 * several files may share a name. FILE may be the end of a path. Symbols of one value
 * are one place. Fills in at most `most` places, in the order of the image, and returns
 * how many there are. */
unsigned jm_symbol_places(const JmMachine *machine, const char *name,
                          JmSymbolPlace *places, unsigned most);
/* Writes the places of a name, "00101 (a.s:5), 00105 (b.s:4)", shortened if need be.
 * Returns `buffer`. */
char *jm_symbol_places_text(const JmMachine *machine, const char *name, char *buffer,
                            size_t size);
/* Looks up a symbol of the ELF image loaded last: a global one if there is one, the
 * first if there are several. The value of a symbol in a section is its word address.
 * Returns false if there is none of that name. */
bool jm_symbol(const JmMachine *machine, const char *name, uint32_t *value);
/* Looks up a symbol in a section, that is, one that names a word of memory. Returns
 * false for absolute (.equ) symbols too. */
bool jm_symbol_word(const JmMachine *machine, const char *name, uint32_t *address);
/* Walks the names of the global symbols that name words: index 0.. until NULL. */
const char *jm_symbol_name(const JmMachine *machine, unsigned index);
/* Walks the names of the source files of the program, as they were given to the
 * assembler: index 0.. until NULL. */
const char *jm_source_name(const JmMachine *machine, unsigned index);
/* Whether a source file has been written since the program was made from it: its lines
 * may have moved. A program counts as made when its file was written (jm_load_file),
 * but no later than when the machine was saved. A program loaded from memory counts as
 * made when its newest source was written. */
bool jm_source_is_newer(const JmMachine *machine, const char *file);
/* Writes "name+3" for an address, or "" if no symbol covers it; the name as
 * jm_printable_word() writes it. Returns `buffer`. */
char *jm_symbol_at(const JmMachine *machine, uint32_t address, char *buffer,
                   size_t size);
/* Finds the source line of a word: that of the instruction in its high half. Returns
 * false if the image has none for it. */
bool jm_line_at(const JmMachine *machine, uint32_t address, const char **file,
                int *line);
/* Finds the source line of one instruction of a word; `low`: the one in the low
 * half. */
bool jm_instruction_line(const JmMachine *machine, uint32_t address, bool low,
                         const char **file, int *line);

/* ---- running --------------------------------------------------------------------- */

/* Why jm_run() returned. */
typedef enum {
    JM_STOP_NONE,    /* ran for the cycles asked for */
    JM_STOP_EXIT,    /* HOST_EXIT; see jm_exit_value() */
    JM_STOP_IDLE,    /* nothing will ever happen again */
    JM_STOP_LIMIT,   /* same as NONE; front ends use it for their own limit */
    JM_STOP_STOPPED, /* a node stopped; see jm_explain() */
    JM_STOP_DEADLOCK,
    JM_STOP_BREAK, /* an observer asked to stop, or jm_stop_at_marks() did */
    JM_STOP_MEMORY /* the machine is starved */
} JmStop;

const char *jm_stop_name(JmStop stop); /* "exit", "idle", "limit", "stopped", ... */

/* Runs until `until_cycle` cycles have been done since creation, or something stops the
 * machine. May be called again; after EXIT, IDLE, STOPPED or DEADLOCK it returns the
 * same at once, unless state was changed from outside; after MEMORY always. */
JmStop jm_run(JmMachine *machine, uint64_t until_cycle);

uint64_t jm_now(const JmMachine *machine);   /* cycles done */
int jm_exit_value(const JmMachine *machine); /* 0..125 after JM_STOP_EXIT */

/* Rows of text saying why the machine stopped. For nodes that stopped: what happened
 * first, with fault, place, source text, operands, the current message and its sender;
 * for a deadlock, who waits for whom. A row has no newline. jm_explain_chain() adds the
 * chain from that fault to the stop. */
typedef void JmRowWriter(void *context, const char *row);
void jm_explain(const JmMachine *machine, JmRowWriter *writer, void *context);
void jm_explain_chain(const JmMachine *machine, JmRowWriter *writer, void *context);

/* Messages whose header gives a length other than the number of words sent: their
 * count, and for the first one the cycle in which it ended, its sender, the address of
 * its last SEND (`low`: in the low half of the word), the handler's address and both
 * lengths in words. The task of such a message takes words from the next one in the
 * queue, or waits forever. */
typedef struct {
    uint64_t count; /* 0: the other fields are meaningless */
    uint64_t cycle;
    uint32_t node, priority, address, handler, header_words, sent_words;
    bool low;
} JmWrongLength;
JmWrongLength jm_wrong_length(const JmMachine *machine);

/* Threads, 1 or more (the default: 1), that jm_run() uses from now on if the machine
 * has enough nodes to benefit, and the host has that many threads and enough memory.
 * Results do not depend on it. */
void jm_set_threads(JmMachine *machine, unsigned threads);

/* Output of HOST_PUTC and HOST_PUTW, by lines: characters are collected by node, and a
 * line is written whole at its newline, or else when the run ends; lines are in the
 * order of the cycles of their ends, then of ranks. If more than one node has written a
 * character by then, a line begins with "node N: ". A line that reaches 4,096
 * characters is written up to there. The kernel's report of a fault is written in one
 * piece; if the end of the run cuts it off, its complete lines are written. NULL (the
 * default) drops the output. */
typedef void JmOutput(void *context, const char *bytes, size_t count);
void jm_set_output(JmMachine *machine, JmOutput *output, void *context);

/* Writes output character by character instead of by lines, in the order of cycles,
 * then ranks. */
void jm_set_raw_output(JmMachine *machine, bool raw);
/* Writes the lines that have been collected but not ended, by rank. jm_run() does so
 * when the machine ends; call this if you do not run it to its end. */
void jm_end_output(JmMachine *machine);

/* Returns the bytes of output so far, whether they were written or dropped. */
uint64_t jm_output_bytes(const JmMachine *machine);

/* Posts an external fault (JM_FAULT_INTERRUPT or JM_FAULT_DRAMERR), taken at the node's
 * next instruction boundary that allows it. */
void jm_post(JmMachine *machine, unsigned node, JmFault fault);

/* ---- state ----------------------------------------------------------------------- */

/* Registers of a node by number (isa/regs.def) and context. Per-node registers ignore
 * the context; ID, FIR, FOP, QBM, QHL and Q do not exist in background (read NIL). */
JmWord jm_register(const JmMachine *machine, unsigned node, JmContext context,
                   JmReg reg);
void jm_set_register(JmMachine *machine, unsigned node, JmContext context, JmReg reg,
                     JmWord value);
/* Returns the name of a context: "priority 0", "priority 1", "background". */
const char *jm_context_name(JmContext context);
/* Returns the running context (P and B flags). */
JmContext jm_running(const JmMachine *machine, unsigned node);
/* Whether a task of this priority is active. */
bool jm_task_active(const JmMachine *machine, unsigned node, unsigned priority);

/* Reads and writes words by physical address; untouched memory reads NIL. A write may
 * change ROM and does not start the node; the host page cannot be reached this way. A
 * write that runs out of memory starves the machine. */
JmWord jm_read(const JmMachine *machine, unsigned node, uint32_t address);
void jm_write(JmMachine *machine, unsigned node, uint32_t address, JmWord value);
/* Writes a word at one address of every node; nodes that share a page of memory keep
 * sharing it. */
void jm_write_all(JmMachine *machine, uint32_t address, JmWord value);

/* Whether an address lies in ROM: processors cannot write there. */
bool jm_is_rom(uint32_t address);

/* Starts a node that jm_load_* has loaded nothing into. */
void jm_start(JmMachine *machine, unsigned node);

/* ---- statistics ------------------------------------------------------------------ */

/* Counters of a node since its creation. Counts of two are by priority. */
typedef struct {
    uint64_t instructions;              /* completed; inline constants excluded */
    uint64_t messages_in[2];            /* tails written to the queue, by priority */
    uint64_t messages_out[2];           /* ends taken by the output buffer */
    uint64_t words_in[2], words_out[2]; /* routing words excluded */
    uint32_t queue_max_words[2];
    double queue_mean_words[2];    /* over time */
    uint64_t overflows[2];         /* arriving rows that made the queue full */
    uint64_t first_overflow_cycle; /* UINT64_MAX: none */
    /* A fault that became a CATASTROPHE counts as both. */
    uint64_t faults[JM_FAULT_COUNT];
    uint64_t dispatches[2];
    uint64_t marked;                 /* messages sent at priority 1 by hwm_mark */
    uint64_t escaped;                /* messages sent at priority 1 by escape_mark */
    uint64_t brake_cycles;           /* cycles with the brake on */
    uint64_t spilled;                /* words that went to the ring, in whole rows */
    uint64_t spilled_now;            /* words that are outside the queue now */
    uint64_t spill_peak;             /* maximum of spilled_now */
    uint64_t acks_out, acks_in;      /* acknowledgements of rts, sent and received */
    uint64_t returns_out;            /* messages of other nodes that this node sent
                                        back */
    uint64_t returns_in;             /* its own messages that came back */
    uint64_t resent;                 /* times one of them was sent again */
    uint64_t rts_reserved;           /* words of its return memory in use now */
    uint64_t rts_peak;               /* maximum of rts_reserved */
    uint64_t cycles[JM_CLASS_COUNT]; /* by class; they add up to jm_now() */
} JmNodeStatistics;

void jm_node_statistics(const JmMachine *machine, unsigned node, JmNodeStatistics *out);
/* Returns all nodes' statistics together: sums of counts; of queue_max_words,
 * spill_peak and rts_peak the largest, of queue_mean_words the mean, of
 * first_overflow_cycle the earliest. */
JmNodeStatistics jm_statistics(const JmMachine *machine);

/* A distribution of times in cycles: extremes, percentiles, mean. */
typedef struct {
    uint64_t count, min, max, p50, p90, p99;
    double mean;
} JmDistribution;

/* Counters of the network since its creation. Counts of three are by dimension (X, Y,
 * Z), of two by priority. */
typedef struct {
    uint64_t flits[3];               /* crossings of wires, by dimension */
    double wire_utilisation[3];      /* flits / (wires * cycles) */
    double bisection_utilisation[3]; /* the same for the wires across the middle */
    uint64_t bisection_flits[3];
    uint64_t messages_opened[2], messages_delivered[2];
    uint64_t words_offered[2], words_delivered[2];
    uint64_t flits_injected, flits_ejected, flits_dropped;
    uint64_t blocked_cycles;
    JmDistribution latency; /* from the opening of a message to its tail's ejection */
    JmDistribution transit; /* from the first flit's departure to the tail's ejection */
} JmNetworkStatistics;

void jm_network_statistics(const JmMachine *machine, JmNetworkStatistics *out);

/* Whether messages between two nodes may overtake each other; in the mesh as built,
 * messages of one priority do not. */
bool jm_messages_overtake(const JmMachine *machine);

/* Whether a wire leads from `node` up or down in dimension 0..2, and the flits that
 * have crossed it. */
bool jm_has_link(const JmMachine *machine, unsigned node, unsigned dimension, bool up);
uint64_t jm_link_flits(const JmMachine *machine, unsigned node, unsigned dimension,
                       bool up);

/* A write of HOST_MARK: the node, the value and the cycle. */
typedef struct {
    uint64_t cycle;
    uint32_t node;
    int32_t value;
} JmMark;

/* Returns the HOST_MARKs so far, in the order of cycles; valid until the next run. */
const JmMark *jm_marks(const JmMachine *machine, size_t *count);

/* Whether jm_run() ends with JM_STOP_BREAK after each cycle with a HOST_MARK; initially
 * false. Like an observer, this is not part of a checkpoint. */
void jm_stop_at_marks(JmMachine *machine, bool stops);

/* Returns the words that are now in the queue of (node, priority). */
uint32_t jm_queue_words(const JmMachine *machine, unsigned node, unsigned priority);

/* ---- checkpoints ----------------------------------------------------------------- */

/* A checkpoint holds the whole state between two calls of jm_run(): nodes and their
 * memory, messages in flight, the network, statistics, marks, the program's symbols,
 * the output position. A run that continues from it gives the same results, bit for
 * bit, as one that never stopped. Output writers and observers are not part of the
 * machine's state and stay as they are. */

typedef struct JmCheckpoint JmCheckpoint;

/* Takes a checkpoint of the machine. Returns NULL if there is no memory, or the machine
 * is starved. It is cheap: pages of memory are shared until the machine writes to them.
 * An observer must not call it, nor jm_restore(). */
JmCheckpoint *jm_checkpoint(const JmMachine *machine);
/* Restores a checkpoint; the machine needs the same mesh, parameters and host page, and
 * may run in another thread. Returns false if there is no memory: then the machine is
 * starved, and must not even be inspected before another jm_restore(). */
bool jm_restore(JmMachine *machine, const JmCheckpoint *checkpoint);
void jm_checkpoint_free(JmCheckpoint *checkpoint); /* NULL is ignored */
/* Returns the cycles that had been done when it was taken. */
uint64_t jm_checkpoint_cycle(const JmCheckpoint *checkpoint);
/* Returns the bytes of memory that it takes now; a page shared by several counts in
 * part. */
size_t jm_checkpoint_bytes(const JmCheckpoint *checkpoint);

/* Writes a machine to a file: versioned, with a checksum, the same on every host, whole
 * or not at all. Returns false and a message if it cannot be written, if it is one of
 * jm_inputs(), or if there is no memory. */
bool jm_save(const JmMachine *machine, const char *path, JmError *error);
/* Creates a machine that continues from a saved one; `engine` as in JmConfig. Returns
 * NULL and a message for a file that is damaged, cut off, foreign or of another
 * version, or if there is no memory. */
JmMachine *jm_load_saved(const char *path, const char *engine, JmError *error);
JmMachine *jm_load_saved_memory(const void *bytes, size_t size, const char *name,
                                const char *engine, JmError *error);

/* Returns how a message was redirected: "by mark", "by escape" or "";
 * jm_redirection_text() as a suffix for its line in a list: " sent at priority 1 by
 * mark", or "". */
const char *jm_redirection_name(JmRedirection redirection);
const char *jm_redirection_text(JmRedirection redirection);

/* ---- observers ------------------------------------------------------------------- */

/* Called for an event. Returns true to stop the run after this cycle (JM_STOP_BREAK).
 * An observer may inspect the machine but not change or run it: it is called in the
 * middle of a cycle. */
typedef bool JmObserver(void *context, const JmEvent *event);

/* Calls `observer` for the kinds in `kinds` (bit 1 << JmEventKind); NULL removes it.
 * Without an observer there is no overhead. Returns false, leaving none, if
 * JM_EVENT_FLIT is among the kinds and the machine's engine does not report flits:
 * JmConfig.engine "graph" does. */
bool jm_observe(JmMachine *machine, uint32_t kinds, JmObserver *observer,
                void *context);

enum { JM_EVENT_TEXT_MAX = 1024 };

/* Returns the name of a kind of events in traces, such as "send"; NULL for kinds that
 * are not traced. */
const char *jm_event_name(JmEventKind kind);
/* Returns all kinds that have such names: bits 1 << JmEventKind. */
uint32_t jm_event_kinds(void);
/* Returns the kind with this name, of `length` bytes; JM_EVENT_COUNT if there is
 * none. */
JmEventKind jm_event_named(const char *name, size_t length);
/* Writes an event of a traced kind as a line of a trace, without its end: cycle, node,
 * context (0, 1 or b), kind, address, symbol ("-" for events of messages), details.
 * Returns `buffer`. */
char *jm_event_text(const JmMachine *machine, const JmEvent *event,
                    char buffer[JM_EVENT_TEXT_MAX]);

#ifdef __cplusplus
}
#endif

#endif
