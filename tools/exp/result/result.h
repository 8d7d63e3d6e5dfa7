/* The result of a run of the machine, or of a point that a model solves: a struct made
 * by results.def. It is text only in the journal and on the way from a worker to the
 * process that writes the journal. */
#ifndef JM_TOOLS_EXP_RESULT_RESULT_H
#define JM_TOOLS_EXP_RESULT_RESULT_H

#include <jansson.h>
#include <stdbool.h>

/* A list of numbers, or of rows of `width` numbers, one row after the other. */
typedef struct {
    double *value;
    size_t count; /* rows */
    unsigned width;
} ResultList;

typedef enum {
#define FIELD(name, ...) RESULT_##name,
#include "tools/exp/result/results.def"
    RESULT_FIELDS
} ResultField;

#define MEMBER_WHOLE double
#define MEMBER_REAL double
#define MEMBER_TEXT char *
#define MEMBER_TEXTS json_t *
#define MEMBER_TREE json_t *
#define MEMBER_NODES ResultList
#define MEMBER_CUTS ResultList
#define MEMBER_LIST ResultList
#define MEMBER_ROWS2 ResultList
#define MEMBER_ROWS3 ResultList
#define MEMBER_ROWS4 ResultList

/* A number is NaN, a text or a tree NULL, and a list empty if it was not found. */
typedef struct {
#define FIELD(name, SHAPE, ...) MEMBER_##SHAPE name;
#include "tools/exp/result/results.def"
    /* The fields that a model or a probe has added, in that order. */
    ResultField added[RESULT_FIELDS];
    unsigned added_count;
} Result;

/* The clock of all experiments is 10 MHz (thesis 4.1.4). */
enum { RESULT_CYCLES_IN_MS = 10000 };

/* A row of `series`, a sample of the queues. */
enum { SAMPLE_TIME, SAMPLE_FULLEST, SAMPLE_ALL, SAMPLE_OVERFLOWED };

/* Makes an empty result of this jm. It copies the text, as all functions here do;
 * without memory they end the program (host_no_memory()). */
Result *result_create(const char *key);
void result_free(Result *result); /* NULL is ignored */

/* Add a field by its name, which results.def must have, to the result and to its line
 * of the journal; what is assigned to a member is not in that. A number, text or tree
 * replaces what was there. */
void result_add(Result *result, const char *name, double value);
void result_add_text(Result *result, const char *name, const char *text);
/* Takes the reference of the tree. */
void result_add_tree(Result *result, const char *name, json_t *tree);
/* The list is empty at first. */
ResultList *result_add_list(Result *result, const char *name);

/* Returns a member as JSON, a WHOLE of 0..1 as a truth, `whole` numbers as integers;
 * NULL if none has this name. */
json_t *result_json(const Result *result, const char *name, bool whole);
/* Returns the number of this name, which results.def must have. */
double result_number(const Result *result, const char *name);

/* Returns the list of this name; NULL if no list has it. */
const ResultList *result_list(const Result *result, const char *name);

/* Appends a row to a list. */
void result_push(ResultList *list, const double *row);

/* Returns row `index` of a list. */
static inline const double *result_row(const ResultList *list, size_t index) {
    return list->value + index * list->width;
}

/* Returns the number of this name in a tree; 0 if there is none. */
double result_tree_number(const json_t *tree, const char *name);

/* Returns the line of the journal, malloc'ed, without its newline. */
char *result_print(const Result *result);

enum { RESULT_WHY_MAX = 160 };

/* Reads a line of the journal, which has a key. Others can write to a journal, and an
 * impossible record must not become a figure: returns NULL and fills `why` unless a run
 * of this jm can have had this result, that is, every field has the shape and range of
 * its row, none is missing, and fields do not contradict each other. */
Result *result_read(const json_t *record, char why[RESULT_WHY_MAX]);

#endif
