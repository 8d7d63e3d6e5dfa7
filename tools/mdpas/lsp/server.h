/* The language server's state and helpers, shared by the answers to requests. */
#ifndef JM_MDPAS_SERVER_H
#define JM_MDPAS_SERVER_H

#include <jansson.h>
#include <stdbool.h>

#include "tools/host/rpc.h"
#include "tools/mdpas/lsp/units.h"

/* Errors of the protocol. */
typedef enum {
    PROBLEM_NONE = 0,
    PROBLEM_PARSE = -32700,
    PROBLEM_INVALID_REQUEST = -32600,
    PROBLEM_NO_METHOD = -32601,
    PROBLEM_INVALID_PARAMS = -32602,
    PROBLEM_NOT_INITIALIZED = -32002,
    PROBLEM_CANCELLED = -32800,
    PROBLEM_FAILED = -32803
} Problem;

typedef struct {
    Work work;
    Rpc rpc;
    json_t *queue;   /* messages that have come and are not answered yet */
    json_t *shown;   /* messages that the client shows: arrays by URI */
    Problem problem; /* of the request that is being answered */
    char why[256];
    bool current; /* it shows the present ones */
    bool initialized, shut_down, exits;
} Server;

/* Refuses the request: the reason is the answer. Returns NULL. */
json_t *refuse(Server *server, Problem problem, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The place that a request is about. */
typedef struct {
    Document *document;
    Unit *unit; /* fresh */
    int file;   /* the document's in the unit; -1: it is not there */
    int row;    /* of the document, 0.. */
    Line line;
    int offset; /* in the line */
    int lexeme; /* there; -1: none */
} At;

/* Finds the place that `params` name; false and a refusal. at_free() ends it in both
 * cases. */
bool at_find(Server *server, const json_t *params, At *at);
void at_free(At *at);
/* The open document that `params` name, and its unit; false and a refusal. */
bool find_document(Server *server, const json_t *params, At *at);
json_t *lexeme_range(const At *at, int lexeme);
/* The use of a name at the place; NULL: none. */
const AsmIndexUse *use_at(const At *at);
/* The macro of the unit that has this row of the document in its body; NULL: none. */
const AsmIndexMacro *macro_around(const At *at);

/* Answers to requests. NULL: nothing, or a refusal. */
typedef json_t *Answer(Server *server, const json_t *params);
#define METHOD(name, function) Answer answer_##function;
#include "tools/mdpas/lsp/methods.def"
#undef METHOD

/* ---- kernel.c: the kernel as it is installed or built beside mdpas --------------- */

/* Adds the folders of the kernel's own files to those for .include. */
void kernel_folders(Work *work);
void kernel_folders_free(Work *work);
/* The names that the kernel archive defines for others: keys of an object, which is
 * empty if there is no archive. */
json_t *kernel_names(void);

/* ---- publish.c ------------------------------------------------------------------- */

/* Sends the messages of the assembler that the client does not show yet. */
void publish(Server *server);

#endif
