/* Expressions, nodes and sets of nodes, as commands read them. For emu/debug. */
#ifndef JM_DEBUG_VALUES_VALUES_H
#define JM_DEBUG_VALUES_VALUES_H

#include "emu/debug/talk/names.h"

/* A set of nodes. */
typedef struct {
    uint64_t *bits; /* NULL: all */
    unsigned count; /* nodes of the machine */
} NodeSet;

/* Whether a set holds a node. */
static inline bool nodeset_has(const NodeSet *set, unsigned node) {
    return !set->bits || (set->bits[node / 64] >> (node % 64) & 1);
}
/* Returns the size of the bits of a set. */
static inline size_t nodeset_bytes(const NodeSet *set) {
    return (set->count / 64 + 1) * sizeof *set->bits;
}
/* Writes the nodes of a set as machine_nodes_text() does; returns `text`. */
enum { NODES_TEXT = 256 };
const char *nodes_text(const JmDebug *d, const NodeSet *set, char text[NODES_TEXT]);

/* A value of an expression: a word with its tag, or a number of 64 bits. A number that
 * was written as such, or computed from such, is a constant: one from 0x80000000 to
 * 0xFFFFFFFF is compared unsigned, as in C. */
typedef struct {
    bool is_word, constant;
    bool none; /* of a watched value: it has none, as after division by zero */
    JmWord word;
    int64_t number;
} Value;

/* Room for the reason why an expression has no value. */
enum { REASON_TEXT = 128 };
typedef char Reason[REASON_TEXT];

/* A variable of the user. */
typedef struct {
    char *name;
    Value value;
} Variable;

/* The kinds of places in which a value can be put. */
typedef enum { PLACE_NONE, PLACE_MEMORY, PLACE_REGISTER, PLACE_VARIABLE } PlaceKind;
/* A place in which a value can be put. */
typedef struct {
    PlaceKind kind;
    unsigned node;
    uint32_t address;
    JmContext context;
    JmReg reg;
    bool runs;     /* REGISTER: no context was named, so it is the running one */
    bool foreign;  /* the node was named with @ */
    char name[64]; /* VARIABLE */
} Place;

/* How values are shown. */
typedef enum {
    FORMAT_WORD,
    FORMAT_DEC,
    FORMAT_HEX,
    FORMAT_BIN,
    FORMAT_CHAR,
    FORMAT_ADDR,
    FORMAT_CODE
} Format;

/* An expression that is shown whenever the machine stops. */
typedef struct {
    unsigned id;
    char *text;
    Format format;
} Display;

/* State of the room `values`. */
struct Values {
    Variable *variables;
    size_t variable_count, variable_capacity;
    Display *displays;
    size_t display_count, display_capacity;
    unsigned last_display;   /* id of the newest display */
    struct Stalled *stalled; /* of stalled_cycles(); NULL until first needed */
};

/* ---- nodes ----------------------------------------------------------------------- */

/* Takes a node: its rank, x,y,z, or an expression in parentheses. False and a
 * message. */
bool take_node(Args *args, unsigned *node);
/* Takes a set of nodes: `all`, a node, a range 3-9, or a box 0-3,*,2. */
bool take_nodes(Args *args, NodeSet *set);
/* Takes the set of nodes that ends the line; none: all. */
bool take_nodes_or_all(Args *args, NodeSet *set);
/* Takes a set of nodes if the line has not ended, else the set of the selected node. */
bool take_nodes_or_selected(Args *args, NodeSet *set);
/* Takes the nodes that end the line (none: the selected one) and calls `function` for
 * each, in the order of ranks. If none of them has printed anything, prints `nothing`,
 * unless that is NULL. */
typedef void NodeFunction(JmDebug *d, unsigned node);
bool for_nodes(Args *args, NodeFunction *function, const char *nothing);

/* ---- expressions ----------------------------------------------------------------- */

/* Takes an expression as a number from `low` to `high`. `what` names it in the
 * message. */
bool take_number(Args *args, const char *what, int64_t low, int64_t high,
                 int64_t *number);
/* Takes a number as take_number() does; at the end of the line it is `standard`. */
bool take_optional(Args *args, const char *what, int64_t low, int64_t high,
                   int64_t standard, int64_t *number);
/* Takes an expression. False and a message with a caret. */
bool take_value(Args *args, Value *value);
/* Takes places of code: an expression, or all places of a symbol, FILE:SYMBOL or
 * FILE:LINE. */
bool take_places(Args *args, Places *places);
/* Takes an address: as above, but it must be one. */
bool take_address(Args *args, uint32_t *address);
/* Takes a source line, "prog.s:12". *found: that is what comes next. False after a
 * message: the program has no such file, or several. */
bool take_file_line(Args *args, JmDebugPlace *line, bool *found);
/* Takes a place: $register, $variable, or an address, perhaps in brackets. */
bool take_place(Args *args, Place *place);
/* Takes "[NODE:]ADDRESS". *node is unchanged if none is named. */
bool take_word_of_node(Args *args, unsigned *node, uint32_t *address);
/* Evaluates `text` for `node` without printing anything. `old`: the value of $old,
 * NULL: there is none. False if it has no value; `why`, unless NULL, gets the
 * reason. */
bool evaluate_quietly(JmDebug *d, const char *text, unsigned node, const Value *old,
                      Value *value, Reason why);
/* Takes an expression without evaluating it, as text. *foreign: it reads beyond its own
 * node. `old`: there will be an $old. False and a message, also
 * if it can never have a value. */
bool check_expression(Args *args, bool old, char **text, bool *foreign);

/* ---- values ---------------------------------------------------------------------- */

/* Returns a value as a number: an INT is signed, other words give their data. */
int64_t value_number(const Value *value);
/* Whether a value is true: bit 0 of a BOOL, else not 0. */
bool value_true(const Value *value);
Value value_of_word(JmWord word);
Value value_of_number(int64_t number);
Value value_of_constant(int64_t number);
/* Returns the address that a value means, or UINT32_MAX if it means none. */
uint32_t value_address(const Value *value);
/* Returns the name of a variable that the debugger keeps itself, `index` 0.. until
 * NULL. */
const char *own_variable(unsigned index);
/* Sets a variable, which may be new. */
void set_variable(JmDebug *d, const char *name, Value value);

/* ---- format.c: how values are shown ---------------------------------------------- */

/* Takes an optional suffix of a command's name, "/4x": a format and, unless `count` is
 * NULL, a count. Without it nothing is changed. False and a message. */
bool take_slash(Args *args, int64_t *count, Format *format);
/* Takes a format's name, like "dec". False: something else follows. */
bool take_format(Args *args, Format *format);
/* Takes a format's name, if the line has not ended behind an expression, and its end.
 * False and a message. */
bool take_last_format(Args *args, Format *format);
/* Returns the name of a format, `index` 0.. until NULL. */
const char *format_name(unsigned index);
/* Prints a word as two instructions or, if it holds none, by its tag. */
void say_code(JmDebug *d, Text *out, JmWord word);
void say_value(JmDebug *d, Text *out, const Value *value, Format format);
/* Prints all displays. */
void displays_say(JmDebug *d);

#endif
