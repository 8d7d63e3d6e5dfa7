/* The internals of the assembler, shared by the files of asm/assembler only; its public
 * interface is asm/assembler/assembler.h. Functions that other files call begin with
 * as_ and are listed below under the name of their file.
 *
 *     files       source files                 emit         words into sections
 *     input       includes, macros, repeats    fixup        values known at the end
 *     lex         a line into tokens           output       sections into an object
 *     statement   what a line is; macros,      listing      the listing
 *                 repeats, conditions          diagnose     messages
 *     expression  symbols, trees, values       instruction  instructions, operands
 *     assertion       .assert                  index        what editors ask for
 *     data, section   other directives
 *
 * The rows of directives are in directives.def.
 *
 * One pass reads the lines. The size of a statement never depends on a symbol that is
 * not yet known, so every word gets its final place at once; a value that needs a later
 * symbol leaves a fixup, and all fixups are resolved after the last line.
 */
#ifndef JM_ASM_ASSEMBLE_H
#define JM_ASM_ASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asm/assembler/assembler.h"
#include "asm/objects/mem.h"
#include "asm/objects/names.h"

enum {
    AS_ERROR_LIMIT = 20,      /* errors after which the assembler gives up */
    AS_WARNING_LIMIT = 100,   /* warnings shown; further ones are only counted */
    AS_LINE_MAX = 16384,      /* bytes of a line, before and after expansion */
    AS_REPEATED_LIMIT = 1000, /* occurrences of one error in rounds of a repeat */
    AS_FRAME_LIMIT = 100,     /* nested includes, macros and repeats */
    AS_EXPR_DEPTH = 200,      /* nested parentheses and unary operators */
    AS_TREE_DEPTH = 1000,     /* height of the tree of one expression */
    AS_EVAL_DEPTH = 3000,     /* height summed over symbols defined by other symbols */
    AS_LINES_LIMIT = 1000000, /* lines that macros and repeats may yield */
    AS_BYTES_LIMIT = 1 << 24, /* bytes that macros and repeats may yield */
    AS_WORDS_LIMIT = 1 << 20, /* words of all sections: the memory of a node */
    AS_SECTIONS_LIMIT = 1000,
    AS_ARGUMENTS_LIMIT = 64
};

/* A source file, unchanged. */
typedef struct {
    char *name;
    char *text;
    size_t length;
    size_t *starts; /* offset of each line; starts[line_count] = length */
    int line_count;
    uint64_t device, inode; /* identity of a file on disk, to find circular includes;
                               0, 0: not on disk */
    const AsmFile *memory;  /* identity of a file in memory; else NULL */
} AsSource;

/* Why a line is read: the include or macro that led to it, innermost first. */
typedef struct AsStatement AsStatement;
typedef struct AsContext {
    const char *what;      /* "included from here", "in expansion of macro 'x'" */
    const AsStatement *at; /* statement with the include or the call */
    int column;
    const struct AsContext *parent; /* context of `at` */
    bool call;                      /* a macro call, not an include or a repeat */
} AsContext;

/* One line that was read: the facts that messages and line tables need. */
struct AsStatement {
    int source;               /* index of AsSource */
    int line;                 /* 1.. */
    int number;               /* order of reading */
    const AsContext *context; /* NULL in the main file */
};

typedef struct {
    const AsStatement *statement;
    int column; /* 1.., bytes */
} AsPlace;

/* The text of a line, not terminated. */
typedef struct {
    const char *text;
    int length;
    const int *map; /* column in the source line of each byte, if a macro changed the
                       text; else NULL */
    const char *const *origins; /* where each byte is written, if a macro changed the
                                   text and there is an index; else NULL */
    const AsStatement *statement;
} AsLine;

typedef enum {
    AS_TOKEN_END,
    AS_TOKEN_NAME,
    AS_TOKEN_NUMBER,
    AS_TOKEN_STRING,
    AS_TOKEN_NUMERIC, /* 1f, 1b: `value` and `op` = 'f' or 'b' */
    AS_TOKEN_PUNCT,   /* `op`: the character or an AsOperator */
    AS_TOKEN_BAD      /* `message` says what is wrong */
} AsTokenKind;

/* Operators of two characters; the others are their own character. */
typedef enum {
    AS_OP_SHL = 256,
    AS_OP_SHR,
    AS_OP_EQ,
    AS_OP_NE,
    AS_OP_LE,
    AS_OP_GE,
    AS_OP_AND,
    AS_OP_OR,
    AS_OP_NEGATE, /* unary minus, in trees */
    AS_OP_CHOOSE  /* ?: in trees */
} AsOperator;

typedef struct {
    AsTokenKind kind;
    int op;
    const char *text; /* in the line, not terminated */
    int length;
    int column;
    int64_t value;
    int suffix; /* register mode bits of 'p and 'b after a register name, or -1 */
    const char *message;
} AsToken;

typedef enum {
    AS_VALUE_ERROR,    /* already reported */
    AS_VALUE_ABSOLUTE, /* `number` */
    AS_VALUE_SECTION,  /* word `number` of `section` */
    AS_VALUE_EXTERNAL  /* `symbol` + `number` */
} AsValueKind;

typedef struct AsSymbol AsSymbol;
typedef struct {
    AsValueKind kind;
    int section;
    AsSymbol *symbol; /* SECTION: the label that the value came from, may be NULL */
    int64_t number;
} AsValue;

/* A node of an expression tree. Parts whose value is known while parsing are folded
 * into a node of kind VALUE. */
typedef struct AsNode {
    enum { AS_NODE_VALUE, AS_NODE_SYMBOL, AS_NODE_OPERATOR } kind;
    int op;
    int height;
    AsPlace place;
    AsValue value;
    AsSymbol *symbol;
    struct AsNode *child[3];
} AsNode;

struct AsSymbol {
    const char *name;
    AsmSymbolKind kind;
    bool global, external; /* declared by .global, .extern */
    bool anonymous;        /* numeric label or .local name: not in the object */
    bool reported;         /* it was reported as undefined */
    bool known;            /* `value` holds its value */
    bool busy;             /* it is being evaluated: a second visit is a cycle */
    AsValue value;
    AsNode *expr;           /* EQU: its expression, until the value is known */
    AsPlace place;          /* place of the definition, else of the first use */
    AsPlace register_place; /* where the name meant a register of one letter */
    int object_index;       /* number in the object; -1: not in the object so far */
    int number;             /* index in `symbols` of the Assembler */
};

/* The state of R0 after the last word of a section, for warnings (emit.c). A place
 * whose statement is NULL means none. */
typedef struct {
    bool reached;     /* control comes here from the previous instruction */
    AsPlace unread;   /* the constant in R0 that nothing has read */
    AsPlace lost, by; /* constant lost if control runs through; what overwrote it */
} AsFlow;

typedef struct {
    const char *name;
    AsmObjectPlace place;
    bool code, fill;
    bool half;       /* the low half of the last word is free */
    bool used;       /* a symbol lies in it */
    int32_t address; /* word address if .org fixed it, else ASM_OBJECT_NO_ADDRESS */
    uint32_t align, size; /* words */
    size_t capacity;      /* words allocated at `words` */
    JmWord *words;
    AsSymbol *anchor; /* symbol for relocations to a place without a label */
    AsFlow flow;
    unsigned char *relocated; /* for the listing: find_relocated() */
    int object_index;
} AsSection;

/* A row of the line table: the words from `offset` on come from `statement`, up to the
 * next row. `low`: from the instruction in the low half of that word on. */
typedef struct {
    int section;
    uint32_t offset;
    bool low;
    const AsStatement *statement;
} AsRow;

typedef enum {
    AS_FIX_DATA32,
    AS_FIX_FIELD20,
    AS_FIX_FIELD10,
    AS_FIX_VALUE,   /* op0 is an immediate, or one of the constants */
    AS_FIX_OFFSET,  /* op0 is [offset,An] */
    AS_FIX_BRANCH,  /* op0 is the distance to a target */
    AS_FIX_PRIORITY /* op2 of a SEND is the network priority */
} AsFixKind;

/* A value to put into a word once all symbols are known. */
typedef struct {
    AsFixKind kind;
    int section;
    uint32_t offset;
    unsigned phase; /* phase of the instruction: 0 high, 1 low */
    AsNode *expr;
} AsFixup;

typedef struct {
    int section;
    uint32_t offset;
    AsmObjectRelocType type;
    AsSymbol *symbol;
    int64_t addend;
    const AsStatement *statement;
} AsReloc;

typedef struct {
    const char *text;
    int length;
} AsText;

/* An address in an assertion for the linker. */
typedef struct {
    AsSymbol *symbol;
    bool minus;
} AsAssertTerm;

/* An .assert; for the linker the sum of `number` and the terms is compared with 0. */
typedef struct {
    AsNode *expr;
    AsPlace place;
    AsText text;
    /* For the linker: */
    AsmObjectCompare compare;
    int64_t number;
    int terms;
    AsAssertTerm term[ASM_OBJECT_TERMS];
} AsAssert;

/* Lines kept for a macro or a repeat. */
typedef struct {
    AsLine *lines;
    int count;
} AsBody;

typedef struct {
    AsText name;
    AsText standard;
    bool vararg, required;
} AsParameter;

typedef struct AsMacro {
    AsText name;
    AsParameter *parameters;
    int count;
    AsBody body;
    AsPlace place;
    bool wrong; /* its header has an error */
    int number; /* order of definition */
    struct AsMacro *next;
} AsMacro;

/* A source of lines: a file, or the body of a macro or repeat. Frames are a stack. */
typedef struct {
    enum { AS_FRAME_FILE, AS_FRAME_MACRO, AS_FRAME_REPEAT } kind;
    int source, line; /* FILE: index of AsSource, lines read so far */
    AsBody body;      /* MACRO, REPEAT: the lines */
    int next;         /* MACRO, REPEAT: index in `body` of the next line */
    int64_t left;     /* REPEAT: rounds still to do after this one */
    const AsParameter *parameters;
    int count;
    const AsText *arguments; /* `count` of them; .irp: those of later rounds follow */
    AsLine call;             /* MACRO, REPEAT: the line that the arguments are in */
    int unique;              /* number of the expansion, for \@ and .local names */
    AsText *locals;          /* names that .local declared in this expansion */
    int local_count;
    const AsContext *context;
    int conditions; /* conditions that were open when the frame was entered */
} AsFrame;

typedef struct {
    AsPlace place;
    bool outer;  /* the lines around the condition are assembled */
    bool active; /* the lines of the current branch are assembled */
    bool taken;  /* no later branch may be assembled; see statement.c */
    bool last;   /* .else was seen: no branch may follow */
} AsCondition;

/* A line of the listing, and the words it made. */
typedef struct {
    AsLine line;
    bool label; /* the line has a label, which starts a run */
    AsmIndexLine made;
} AsListed;

/* A message, complete with its source line and notes. */
typedef struct {
    AsPlace place;
    bool error; /* else a warning */
    int order;  /* number in the order in which messages were found */
    char *text;
} AsMessage;

/* A line of a message, kept for an index. */
typedef struct {
    int order; /* of its message */
    AsmIndexMessage line;
} AsSaid;

/* Collects data for an index while lines are read. */
typedef struct {
    AsmIndexUse *uses;
    int use_count;
    AsSaid *said;
    int said_count;
    const char *suggestion; /* of the next message */
} AsIndexing;

typedef struct Assembler {
    Heap *heap; /* of this run */
    const AsmOptions *options;
    MemArena arena; /* lasts to the end: statements, symbols, trees */
    AsSource *sources;
    int source_count;
    AsFrame frames[AS_FRAME_LIMIT];
    int frame_count;
    AsCondition *conditions;
    int condition_count;
    AsMacro *macros;
    AsIndexing *indexing;                   /* NULL: no index is made */
    int unique;                             /* expansions so far */
    int64_t expanded_lines, expanded_bytes; /* yield of macros and repeats so far */
    struct AsExpansion *expansion;          /* room for one line, kept between lines */

    AsLine line;     /* the line being assembled */
    AsToken *tokens; /* tokens of `line`, the last one END */
    int token_count, token_room;
    const AsToken *at; /* next token to look at */
    bool failed;       /* this statement has an error */

    AsSymbol **symbols; /* in order of creation */
    int symbol_count;
    Names symbol_names; /* from names to indices in `symbols` */
    const char *scope;  /* last label that is not local; "" before the first */
    int *numeric_count; /* definitions so far of label 0..99 */
    int expr_depth, eval_depth;
    const char *needed; /* purpose of the value being evaluated ("a condition"), for
                           messages about undefined symbols; or NULL */

    AsSection *sections;
    int section_count;
    int section;         /* index of the current section */
    int64_t words;       /* words in all sections */
    int phase;           /* phase of the instruction on this line, -1: none so far */
    bool labelled;       /* this line has a label */
    bool in_instruction; /* operands of an instruction are being parsed */
    AsRow *rows;
    int row_count;
    AsFixup *fixups;
    int fixup_count;
    AsReloc *relocs;
    int reloc_count;
    AsAssert *asserts;
    int assert_count;
    AsAssert *deferred; /* those for the linker */
    int deferred_count;
    AsListed *listed;
    int listed_count;

    AsMessage *messages;
    int message_count;
    int errors, warnings, statements;
    int repeated;   /* errors not shown because an equal one was */
    bool stop;      /* too many errors: the assembler gives up */
    bool abandoned; /* no more lines are read, so undefined symbols are not reported */
} Assembler;

/* diagnose.c: messages with their place; as_error also ends the statement. */
void as_error(Assembler *as, AsPlace place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns whether the warning was issued; if so, notes may follow. */
bool as_warning(Assembler *as, AsmWarning warning, AsPlace place, const char *format,
                ...) __attribute__((format(printf, 4, 5)));
/* Returns the place in the program that led to `place`: for a line of a macro the
 * outermost call, else `place` itself. An include does not count as a call. */
AsPlace as_called_place(AsPlace place);
/* Adds a note to the last message. */
void as_note(Assembler *as, AsPlace place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
char *as_messages_text(Assembler *as); /* sorted; malloc'ed */

/* files.c: collects data for an index while lines are read. Without an index these do
 * nothing. */
/* Records that a token names something: the symbol, macro or file with this index. */
void as_index_use(Assembler *as, const AsToken *token, AsmUseKind kind, AsmUseRole role,
                  int number);
/* Returns where `length` bytes at a place are. */
AsmSpot as_place_spot(AsPlace place, int length);
/* Records a line of message number `order`. */
void as_index_said(Assembler *as, AsPlace place, AsmSeverity severity, int order,
                   const char *text);
/* Records a suggestion for the token of the next message; NULL: none. */
void as_index_suggest(Assembler *as, const char *prefix, const char *name);

/* index.c */
AsmIndex *as_index(Assembler *as); /* NULL: none is made */
/* Makes the index of a main source that cannot be read; `why` is the message. */
AsmIndex *as_index_unread(Assembler *as, const char *name, const char *why);

/* files.c */
int as_source_add(Assembler *as, const char *name, const char *text, size_t length);
/* Reads a whole file and returns its index; -1 and an error if it cannot be read. */
int as_source_read(Assembler *as, const char *path, bool regular_only, JmError *error);
/* Gives a source in memory the identity of the file that its name leads to, if any. */
void as_source_identify(Assembler *as, int source);
/* Returns line `line` (1..) without its line end. */
AsText as_source_line(const AsSource *source, int line);

/* input.c */
bool as_push(Assembler *as, AsFrame frame, const char *what, AsPlace at);
void as_push_source(Assembler *as, int source, const char *what, AsPlace at);
/* Reads the next line of the innermost frame, with parameters replaced; false at the
 * end of that frame. */
bool as_frame_line(Assembler *as, AsLine *line);
/* Reads the next line of the innermost frame that has one, and leaves frames that are
 * at their end. False at the end of the main source. */
bool as_next_line(Assembler *as, AsLine *line);

/* lex.c */
void as_lex(Assembler *as, const AsLine *line);
int as_column(const AsLine *line, int offset);
bool as_is_name_start(char c);
bool as_is_name_part(char c);
bool as_is(const AsToken *token, int op); /* is it this punctuation? */
bool as_accept(Assembler *as, int op);    /* step over it if it is there */
bool as_expect(Assembler *as, int op, const char *where);
bool as_at_end(const Assembler *as);
void as_expect_end(Assembler *as);
void as_unexpected(Assembler *as, const char *wanted);   /* error at the next token */
bool as_word_is(const AsToken *token, const char *text); /* a name, ignoring case */
bool as_text_is(AsText text, const char *other);         /* ignoring case */
AsText as_token_text(const AsToken *token);
AsPlace as_here(const Assembler *as, const AsToken *token);
/* Returns the name of the directive that follows the labels of a line, without its dot;
 * empty if there is none. */
AsText as_line_directive(const AsLine *line);
/* Reads one character of a string or character constant, with escapes replaced, and
 * advances `*at`. Returns -1 for an unknown escape. */
int as_character(const char **at, const char *end);

/* expression.c */
AsNode *as_expression(Assembler *as); /* NULL after an error */
AsNode *as_value_node(Assembler *as, AsValue value, AsPlace place);
AsValue as_absolute_value(int64_t number);
AsValue as_evaluate(Assembler *as, AsNode *node);
/* Whether the value is a number that is known now; reports nothing. */
bool as_known(Assembler *as, AsNode *node, AsValue *value);
/* Parses an expression whose number must be known now, such as a size. `what` names it
 * in messages. */
bool as_constant(Assembler *as, const char *what, int64_t *number);
bool as_make_absolute(const Assembler *as, AsValue *value);
AsSymbol *as_symbol(Assembler *as, const char *name, int length); /* found or made */
AsSymbol *as_symbol_token(Assembler *as, const AsToken *token);   /* in its scope */
void as_define_label(Assembler *as, const AsToken *token);
void as_define_value(Assembler *as, const AsToken *token, bool again);
bool as_predefined(const char *name, int64_t *number);

/* emit.c */
AsSection *as_current(Assembler *as);
AsValue as_location(Assembler *as); /* of `.` */
void as_flush(Assembler *as);       /* next instruction starts at phase 0 */
/* Returns the statement of as_called_place(). */
const AsStatement *as_called_at(const AsStatement *statement);
bool as_emit_word(Assembler *as, JmWord word);
bool as_emit_fill(Assembler *as, int64_t count, JmWord word);
/* Returns the phase that the instruction got, -1 after an error. */
int as_emit_instruction(Assembler *as, uint32_t instruction);
void as_add_fixup(Assembler *as, AsFixKind kind, unsigned phase, AsNode *expr);

/* Track the constant in R0 through each label, word and instruction emitted; `d` NULL:
 * an instruction with an error. */
void as_flow_label(Assembler *as);
void as_flow_instruction(Assembler *as, const JmDecoded *d);
bool as_is_conditional(const JmDecoded *instruction);
bool as_ends_run(const JmDecoded *instruction); /* the next instruction is reached only
                                                 * by jumps */

/* statement.c */
void as_statement(Assembler *as);
/* Whether the line was a condition or lies in a false one. */
bool as_condition_line(Assembler *as, const AsLine *line);

/* instruction.c */
void as_instruction(Assembler *as, const AsToken *mnemonic);
bool as_is_mnemonic(AsText name);

/* the rows of directives.def */
#define DIRECTIVE(name, function, operands, text) void as_do_##function(Assembler *as);
#include "asm/assembler/directives.def"
#undef DIRECTIVE
/* Makes the section if need be; -1 after an error. */
int as_section_find(Assembler *as, const char *name, int length);

/* fixup.c, output.c */
void as_resolve(Assembler *as);

/* assertion.c */
void as_check_assertions(Assembler *as);
AsSymbol *as_section_anchor(Assembler *as, int section);     /* any label in it */
AsSymbol *as_symbol_absolute(Assembler *as, int64_t number); /* one with this value */
AsmObject *as_output(Assembler *as);
/* listing.c: `before` is the end of the section ahead of the line. */
void as_list_line(Assembler *as, const AsLine *line, AsValue before);
void as_list_plain(Assembler *as, const AsLine *line); /* a line not assembled here */
static inline bool as_lists(const Assembler *as) {     /* are lines kept at all? */
    return as->options->listing || as->indexing;
}
void as_count_cycles(Assembler *as);
char *as_listing(Assembler *as); /* malloc'ed */

#endif
