/* Options in the specifications of networks and workloads: OPTION=VALUE, separated by
 * commas. For the rooms that have them. */
#ifndef JM_NET_GRAPH_OPTIONS_H
#define JM_NET_GRAPH_OPTIONS_H

#include "emu/core/status.h"

typedef enum {
    NET_OPTION_REAL,
    NET_OPTION_WHOLE,
    NET_OPTION_WORD,
    NET_OPTION_TEXT
} NetOptionKind;

/* A row of a list that ends with one without a name. */
typedef struct {
    const char *name;
    double standard, low, high; /* of a word: its index, from 0; of a text: unused */
    NetOptionKind kind;
    const char *text, *source;
    /* WORD: all of them, then NULL. WHOLE: by value, 0 .. high, a word that stands for
     * it, or NULL; NULL: none has one. TEXT: only its form. */
    const char *const *words;
} NetOption;

enum { NET_OPTIONS = 16 };

/* Values of options, in their order. */
typedef struct {
    double number[NET_OPTIONS];
    /* Where a value begins in the specification, up to ',' or the end; NULL: not
     * given. */
    const char *text[NET_OPTIONS];
} NetOptionValues;

/* Reads the options from `at` to the end of the specification `text`, none if `at` is
 * NULL; others have their defaults. `options` may be NULL: there are none. False and
 * `error` if they are malformed, out of range, unknown or given twice. */
bool net_options_read(const NetOption *options, const char *text, const char *at,
                      NetOptionValues *values, JmError *error);

/* Returns the place of `wanted` among `count` names; those that are NULL are skipped.
 * If it is not there, -1 and an error: the specification `text` has no such `kind`, the
 * nearest name, and all of `forms`, which are the names as people write them. */
int net_name_find(const char *text, const char *kind, const char *wanted,
                  const char *const *names, const char *const *forms, unsigned count,
                  JmError *error);

#endif
