/* The debugger inside: for emu/debug only.
 *
 *     line --command.c--> row of commands.def --> function(Debug, Args)
 *                                                   |  expr.c, nodes.c read arguments
 *                      look_*.c  picture.c  why.c   |  change.c    (journal)
 *                      stops.c -- hits.c            |  run.c  travel.c
 *                                     machine_watch, jm_run, checkpoints
 */
#ifndef JM_DEBUG_INSIDE_H
#define JM_DEBUG_INSIDE_H

#include <inttypes.h>
#include <stdio.h>

#include "emu/core/outfile.h"
#include "emu/core/printable.h"
#include "emu/debug/debug.h"
#include "emu/debug/text.h"
#include "emu/machine/machine.h"
#include "net/net.h"

/* ---- nodes.c: sets of nodes ------------------------------------------------------ */

typedef struct {
    uint64_t *bits; /* NULL: all */
    unsigned count; /* nodes of the machine */
} NodeSet;

static inline bool nodeset_has(const NodeSet *set, unsigned node) {
    return !set->bits || (set->bits[node / 64] >> (node % 64) & 1);
}
void nodeset_free(NodeSet *set);

/* ---- expr.c ---------------------------------------------------------------------- */

typedef struct {
    bool is_word;
    JmWord word;
    int64_t number;
} Value;

typedef struct {
    char *name;
    Value value;
} Variable;

/* Where a value can be put. */
typedef enum { PLACE_NONE, PLACE_MEMORY, PLACE_REGISTER, PLACE_VARIABLE } PlaceKind;
typedef struct {
    PlaceKind kind;
    unsigned node;
    uint32_t address;
    JmContext context;
    JmReg reg;
    bool runs;    /* `context` is the one that runs */
    bool foreign; /* the node was named */
    char name[64];
} Place;

/* ---- stops.c, hits.c ------------------------------------------------------------- */

typedef struct Compiled Compiled; /* of an expression: compiled.h */

typedef enum {
    STOP_BREAK, /* before an instruction */
    STOP_WATCH, /* after an access to memory */
    STOP_VALUE, /* when the value of an expression changes or, `until`, is true */
    STOP_CATCH, /* after an event */
} StopKind;

/* How a VALUE is followed. */
typedef enum {
    WAY_SPIED, /* at what the one node does that it depends on */
    WAY_CYCLE, /* after every cycle; nodes it depends on do not run ahead */
    WAY_STEP   /* the machine goes by single cycles */
} ValueWay;

typedef struct {
    unsigned id;
    StopKind kind;
    bool enabled, temporary, reads, writes;
    bool foreign; /* the condition looks at more than its own node */
    NodeSet nodes;
    uint32_t address, words;  /* BREAK, WATCH; CATCH dispatch: handler */
    uint32_t what;            /* CATCH: JmEventKinds; */
    uint32_t faults;          /* JM_FAULT_BITs, */
    bool any;                 /* dispatch: of any handler; send: to any node, */
    unsigned to;              /* else to this one; */
    bool deadlock, idle;      /* ends of the machine */
    char *text;               /* as `info stops` shows it */
    char *condition;          /* NULL: none */
    char *expression;         /* VALUE */
    Value last;               /* VALUE: as it was */
    Compiled *judges, *looks; /* condition and expression; NULL: none, or text only */
    ValueWay way;             /* VALUE */
    bool changed;             /* VALUE: it ends the run; `last` is as it was before */
    uint64_t hits, ignore;
    char **commands;
    size_t command_count, command_capacity;
} Stop;

/* What of a stop is looked at first: these lie side by side. */
typedef struct {
    uint32_t address, words;
    uint32_t index; /* of the stop */
} Armed;

/* One reason why the run may have to stop. */
typedef struct {
    unsigned stop; /* id */
    bool judged;   /* its condition holds, its count is reached */
    unsigned node;
    uint64_t cycle;
    JmEvent event;
} Hit;

enum { HITS_MAX = 64 };

/* ---- travel.c -------------------------------------------------------------------- */

typedef enum {
    CHANGE_REGISTER,
    CHANGE_MEMORY,
    CHANGE_MESSAGE, /* a message put into a queue */
    CHANGE_QUEUE,   /* a message in a queue made longer, shorter, or dropped */
    CHANGE_WIRE,    /* a direction of a wire blocked or freed */
    CHANGE_POST     /* an external fault */
} ChangeKind;

typedef struct {
    uint64_t cycle;
    ChangeKind kind;
    unsigned node;
    JmContext context;
    JmReg reg;
    uint32_t address;
    unsigned priority;
    JmFault fault;
    JmWord word;
    JmWord *words; /* MESSAGE; QUEUE: what is in it from `first` on */
    uint32_t count;
    uint32_t first;     /* QUEUE: words from its head to the message; */
    int32_t shift;      /* by how many words those behind it move; */
    bool drops;         /* the message goes */
    unsigned dimension; /* WIRE */
    bool up, blocked;
} Change;

typedef struct {
    uint64_t cycle;
    size_t changes; /* made before it */
    JmCheckpoint *state;
} Moment;

typedef struct {
    Moment *moments; /* by cycle */
    size_t count, capacity;
    size_t limit_bytes;
    size_t bytes;   /* of all moments, at most */
    uint64_t every; /* cycles between moments, at least */
    double due;     /* seconds of the host's clock before which there is none */
    Change *changes;
    size_t change_count, change_capacity;
    size_t applied;    /* changes that have been made at this point of time */
    uint64_t furthest; /* the latest cycle that was ever reached */
    bool off;
} Travel;

/* ---- the whole ------------------------------------------------------------------- */

typedef struct {
    char *name, *text;
} Alias;

/* A line of the source; no file: not known. */
typedef struct {
    const char *file;
    int line;
} SourceLine;

/* Looking for events while the past is gone over again (why.c). */
typedef struct Search Search;
struct Search {
    Debug *d;
    uint32_t kinds;   /* of events */
    bool marked;      /* accesses to `address` are among them, */
    bool messages;    /* or all to queues and external memory */
    JmObserver *note; /* gets the Search */
    bool (*matches)(const Search *search, const JmEvent *event);
    unsigned node;
    JmContext context;
    unsigned priority;
    uint32_t address, message, words;
    JmWord header;
    uint64_t end;
    bool found;
    JmEvent event;
};

struct Debug {
    JmMachine *machine;
    DebugHost host;
    Text out, prompt;
    bool has_quit;
    int status;
    bool interrupted; /* since the user's line began */

    unsigned node; /* selected */
    int context;   /* JmContext, or -1: that which runs */

    Variable *variables;
    size_t variable_count, variable_capacity;
    Alias *aliases;
    size_t alias_count, alias_capacity;
    struct Display *displays;
    size_t display_count, display_capacity;
    unsigned last_display; /* its id */

    Stop *stops;
    size_t stop_count, stop_capacity;
    unsigned next_id;
    unsigned last_id; /* of the last one defined, for `commands` */
    Stop *collecting; /* lines go to its commands until `end` */
    uint64_t *code_marks, *data_marks, *minding, *spied, *lockstep;
    Armed *breaks, *others; /* stops that are asked about before instructions; after */
    size_t break_count, other_count, break_capacity, other_capacity;
    bool marked; /* some of these bits are set */
    bool rearm;  /* what was assumed when they were set does not hold any more */
    MachineWatch watch;
    Hit hits[HITS_MAX];
    size_t hit_count;
    Search *search;          /* NULL: none */
    struct Tracker *tracker; /* follows what is run, NULL: none */
    struct {
        uint32_t low, end;
    } queues[2];         /* memory in which queues have been seen, by priority */
    Text queued;         /* commands of stops still to be done; */
    bool doing_commands; /* some are being done, */
    bool hit_again;      /* and one of them has run to a stop */
    bool stopping;       /* events are looked at for stops, not only for the trace */
    uint64_t asked;      /* the cycle before which breakpoints were last looked at */

    Travel travel;
    char *stopped_text;    /* why the machine last stopped, for `why stopped` */
    char *last_line;       /* repeated by an empty line */
    uint32_t next_address; /* `x` and `disassemble` go on here, */
    SourceLine next_line;  /* and `list` here; line 0: around the next instruction */
    unsigned depth;        /* of source, aliases, commands */
    bool echo, stop_shown;
    OutFile record;
    struct TraceFile *trace;
    uint64_t slice;
};

/* Arguments of a command: what is left of its line. */
typedef struct {
    Debug *d;
    const char *line; /* whole line, for the caret */
    const char *at;
} Args;

typedef bool CommandFunction(Debug *d, Args *args);
/* A list of `info`; of some only what has `part` in its name. */
typedef void InfoFunction(Debug *d, const char *part);

/* What users of gdb say for a command, an index 0.. until NULL; the lists of `info`. */
const char *command_synonym(unsigned index);
/* The command that a word stands for, as at the beginning of a line; NULL. */
const DebugCommand *command_named(const char *word);
const char *info_topic(unsigned index);
/* "  stops  breakpoints, ...": a line for each list. */
void say_topics(Debug *d, const char *indent);

/* ---- output ---------------------------------------------------------------------- */

void say(Debug *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Says what is wrong; false, so that a command can return it. */
bool fail(Debug *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, below the line and a caret at `at`. */
bool fail_at(const Args *args, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Words in lines that fit the terminal, each from `indent` on; the first line has come
 * to `column`. */
void say_wrapped(Debug *d, const char *text, unsigned indent, unsigned column);
/* Gives what has been said to the host. */
void flush(Debug *d);

/* "s", but "" for one. */
static inline const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}
/* Adds a channel to a path, "2,0,0 -X; 1,0,0 -X; 0,0,0 RX RY RZ": a node, kept in
 * `*node`, is named once. */
void path_add(const Debug *d, Text *path, unsigned *node, uint32_t channel);
/* The channel that messages from `source` to `destination` enter first. */
uint32_t first_channel(const Debug *d, unsigned source, unsigned destination,
                       unsigned priority);
/* A file without its folders: those of a build are of no interest. */
const char *file_name(const char *path);
/* "01012 main+4", with the source line if `line`. */
const char *place_text(const Debug *d, uint32_t address, bool line, char *buffer,
                       size_t size);
/* "node 5 (5,0,0)" */
const char *node_text(const Debug *d, unsigned node, char *buffer, size_t size);
/* A word as TAG:HEX8 and what it means ("MSG:00401402 main,2"). */
const char *word_text(const Debug *d, JmWord word, char *buffer, size_t size);
enum { SHORT_TEXT = 64, LONG_TEXT = 400 };
/* "1,2,0 p0 +X" */
const char *channel_name(const Debug *d, int32_t channel, char text[SHORT_TEXT]);

/* ---- arguments ------------------------------------------------------------------- */

void skip_blanks(Args *args);
bool at_end(Args *args);
/* Takes `word` if it is the next word; whole words only. */
bool take_word(Args *args, const char *word);
/* Copies the next word, cut at blanks; false if there is none. */
bool next_word(Args *args, char *buffer, size_t size);
bool expect_end(Args *args);
/* An expression as a number from `low` to `high`. */
bool take_number(Args *args, const char *what, int64_t low, int64_t high,
                 int64_t *number);
/* If there is nothing more, `standard`. */
bool take_optional(Args *args, const char *what, int64_t low, int64_t high,
                   int64_t standard, int64_t *number);

/* A node: rank, x,y,z or (expression). */
bool take_node(Args *args, unsigned *node);
/* Nodes: `all`, a node, a range 3-9, a box 0-3,*,2. */
bool take_nodes(Args *args, NodeSet *set);
/* The same if the next word looks like nodes; else the selected node. */
bool take_nodes_or_selected(Args *args, NodeSet *set);
/* Takes the nodes that end the line (without any: the selected one) and calls
 * `function` for each, in the order of ranks; says `nothing`, unless NULL, if none had
 * something to say. */
typedef void NodeFunction(Debug *d, unsigned node);
bool for_nodes(Args *args, NodeFunction *function, const char *nothing);

/* Evaluates; false and a message with a caret. */
bool take_value(Args *args, Value *value);
/* An address: expression, symbol, or file:line. */
bool take_address(Args *args, uint32_t *address);
bool take_place(Args *args, Place *place);
/* "[NODE:]ADDRESS"; `node` stays as it is if none is named. */
bool take_word_of_node(Args *args, unsigned *node, uint32_t *address);
/* "= EXPRESSION" to the end of the line, as a word. */
bool take_new_word(Args *args, JmWord *word);
/* Evaluates `text` for `node` without a word: false if that cannot be done. */
bool evaluate_quietly(Debug *d, const char *text, unsigned node, Value *value);
/* Whether it reads right; `foreign`: it looks beyond its own node. */
bool check_expression(Args *args, char **text, bool *foreign);
int64_t value_number(const Value *value);
bool value_true(const Value *value);
Value value_of_word(JmWord word);
Value value_of_number(int64_t number);
uint32_t value_address(const Value *value);
void set_variable(Debug *d, const char *name, Value value);

/* ---- what several files use ------------------------------------------------------ */

JmContext context_of(const Debug *d, unsigned node);
const Node *node_at(const Debug *d, unsigned node);
/* Where the next instruction of the running context lies. */
uint32_t address_of_ip(const Debug *d, unsigned node);
/* The next instruction as text: "01012 main+4  add r0,1,r0". */
void say_next(Debug *d, unsigned node);
/* Says where the selected node stands, and the displays: the machine has come to
 * another place. */
void say_arrival(Debug *d);
/* `x`, `list` and `disassemble` begin anew. */
void look_anew(Debug *d);
/* That of a node's next instruction. */
SourceLine line_of_next(const Debug *d, unsigned node);
bool same_line(SourceLine a, SourceLine b);
/* Words of code with their places, from `address` on. */
void say_code_words(Debug *d, uint32_t address, int64_t count);

/* "prog.s:12": false if that is not what comes next. `*file` is NULL if the program has
 * no such file. */
bool take_file_line(Args *args, SourceLine *line);

void displays_say(Debug *d);
/* "wait": what a node does, in one word, and its letter for pictures. */
const char *activity_of(const Debug *d, unsigned node, char *letter);

typedef enum { END_REACHED, END_HIT, END_MACHINE, END_INTERRUPTED } RunEnd;
/* Runs to `until` unless something stops the machine; with `stops`, also at stops.
 * Journaled changes are made on the way. */
RunEnd run_to(Debug *d, uint64_t until, bool stops);
/* Whether Ctrl-C has come: it ends all that the line of the user has set going, also
 * scripts and the commands of stops. */
bool is_interrupted(Debug *d);
/* Says where the machine is and why. */
void report_stop(Debug *d, RunEnd end);

void stops_arm(Debug *d, bool on);
/* What the machine asks while it runs, and says (judge.c). */
bool judge_before(void *context, unsigned node);
bool judge_passes(void *context, const NodeQuestion *question);
void judge_stepped(void *context, const Node *node);
void judge_rewound(void *context, const Node *node);
bool judge_after(void *context);
bool judge_event(void *context, const JmEvent *event);
/* Whether the condition of a stop holds while the machine stands still. */
bool condition_holds(Debug *d, const Stop *stop, unsigned node);
/* The value of a VALUE, likewise. */
bool stop_value(Debug *d, const Stop *stop, Value *value);
bool same_value(const Value *a, const Value *b);
/* The node that a WAY_SPIED depends on. */
unsigned spied_node(const Stop *stop);
void hit_add(Debug *d, const Stop *stop, unsigned node, const JmEvent *event,
             bool judged);
/* Judges the hits of the last run: true if one of them counts. */
bool hits_count(Debug *d);
void hits_say(Debug *d);
void hits_after(Debug *d);
bool stops_need_steps(const Debug *d);
/* Takes the values of expressions as they are: from here on a change is a change. */
void stops_see_values(Debug *d);
/* Whether the value of an expression has changed: hits are added. */
void stops_check_values(Debug *d);
Stop *stop_by_id(Debug *d, unsigned id);
void stop_free(Stop *stop);
void stop_delete(Debug *d, Stop *stop);
void stops_check_end(Debug *d);

void travel_start(Debug *d);
void travel_end(Debug *d);
/* After the machine has come to a cycle: perhaps remembers it. */
void travel_pass(Debug *d);
/* The next cycle in which a change is to be made again, or UINT64_MAX. */
uint64_t travel_due(const Debug *d);
void travel_apply_due(Debug *d);
/* Makes a change and remembers it; what was the future is forgotten. */
void travel_change(Debug *d, Change change);
/* Where a journey into the past began, to come back to exactly this state. */
typedef struct {
    JmCheckpoint *state;
    size_t applied;
    uint64_t asked;
    Hit hits[HITS_MAX];
    size_t hit_count;
} Here;
Here travel_leave(Debug *d);
void travel_return(Debug *d, Here *here);
/* It is not come back to after all. */
void travel_stay(Here *here);
/* False and a message if there is no past to look at. */
bool travel_has_past(Debug *d);
/* Goes to a cycle without stopping; false if interrupted. */
bool travel_to(Debug *d, uint64_t cycle);
/* The latest moment at or before a cycle. */
const Moment *travel_moment(const Debug *d, uint64_t cycle);
void travel_restore(Debug *d, const Moment *moment);
void travel_switch(Debug *d, bool on);
void travel_limit(Debug *d, size_t bytes);
void change_apply(JmMachine *machine, const Change *change);

/* Whether a message has words to come; a number may be in use a little longer. */
bool message_flies(const Net *net, uint32_t number, NetMessageState *state);
bool do_line(Debug *d, const char *line);
void trace_stop(Debug *d);
/* Writes what has been recorded to its file; false and a message if that fails. */
bool record_stop(Debug *d);
void trace_reached(Debug *d);
bool trace_event_of(Debug *d, const JmEvent *event);
uint32_t trace_kinds(const Debug *d);
const char *traced_kind_name(unsigned index); /* 0.. until NULL */
/* The file of the program that is meant by a name, or by the end of its path; NULL. */
const char *source_file(const Debug *d, const char *file, size_t length);
/* The nearest lines of a file that have a word of code; 0: none. */
void lines_around(const Debug *d, const char *file, size_t length, int line, int *below,
                  int *above);
/* Whether an address is that of a source line; fills `address`. */
bool line_address(const Debug *d, const char *file, size_t length, int line,
                  uint32_t *address);

#define COMMAND(name, abbreviation, function, ...) CommandFunction function;
#define INFO(name, function, text) InfoFunction function;
#include "emu/debug/commands.def"
#undef COMMAND

#endif
