/* Expressions, nodes and sets of nodes, as commands read them. For emu/debug. */
#ifndef JM_DEBUG_VALUES_VALUES_H
#define JM_DEBUG_VALUES_VALUES_H

#include "emu/debug/talk/talk.h"

typedef struct {
    uint64_t *bits; /* NULL: all */
    unsigned count; /* nodes of the machine */
} NodeSet;

static inline bool nodeset_has(const NodeSet *set, unsigned node) {
    return !set->bits || (set->bits[node / 64] >> (node % 64) & 1);
}
void nodeset_free(NodeSet *set);

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

struct Values {
    Variable *variables;
    size_t variable_count, variable_capacity;
    struct Display *displays;
    size_t display_count, display_capacity;
    unsigned last_display; /* its id */
};

/* ---- nodes ----------------------------------------------------------------------- */

/* A node: rank, x,y,z or (expression). */
bool take_node(Args *args, unsigned *node);
/* Nodes: `all`, a node, a range 3-9, a box 0-3,*,2. */
bool take_nodes(Args *args, NodeSet *set);
/* The same if the next word looks like nodes; else the selected node. */
bool take_nodes_or_selected(Args *args, NodeSet *set);
/* Takes the nodes that end the line (without any: the selected one) and calls
 * `function` for each, in the order of ranks; says `nothing`, unless NULL, if none had
 * something to say. */
typedef void NodeFunction(JmDebug *d, unsigned node);
bool for_nodes(Args *args, NodeFunction *function, const char *nothing);

/* ---- expressions ----------------------------------------------------------------- */

/* An expression as a number from `low` to `high`. */
bool take_number(Args *args, const char *what, int64_t low, int64_t high,
                 int64_t *number);
/* If there is nothing more, `standard`. */
bool take_optional(Args *args, const char *what, int64_t low, int64_t high,
                   int64_t standard, int64_t *number);
/* Evaluates; false and a message with a caret. */
bool take_value(Args *args, Value *value);
/* An address: expression, symbol, or file:line. */
bool take_address(Args *args, uint32_t *address);
/* "prog.s:12": false if that is not what comes next. `*file` is NULL if the program has
 * no such file. */
bool take_file_line(Args *args, SourceLine *line);
bool take_place(Args *args, Place *place);
/* "[NODE:]ADDRESS"; `node` stays as it is if none is named. */
bool take_word_of_node(Args *args, unsigned *node, uint32_t *address);
/* Evaluates `text` for `node` without a word: false if that cannot be done. */
bool evaluate_quietly(JmDebug *d, const char *text, unsigned node, Value *value);
/* Whether it reads right; `foreign`: it looks beyond its own node. */
bool check_expression(Args *args, char **text, bool *foreign);

/* ---- values ---------------------------------------------------------------------- */

int64_t value_number(const Value *value);
bool value_true(const Value *value);
Value value_of_word(JmWord word);
Value value_of_number(int64_t number);
uint32_t value_address(const Value *value);
void set_variable(JmDebug *d, const char *name, Value value);

void displays_say(JmDebug *d);

#endif
