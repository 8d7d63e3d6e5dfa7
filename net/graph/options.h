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
    double standard, low, high; /* WORD: places, from 0; TEXT: of its numbers */
    NetOptionKind kind;
    const char *text, *source;
    /* WORD: all of them, separated by |. WHOLE: by value, from 0, words that stand for
     * it; NULL: none. A word has one or more spellings, separated by /. TEXT: only its
     * form. */
    const char *words;
} NetOption;

enum { NET_OPTIONS = 16, NET_WORD_MAX = 32 };

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

/* Returns the option of that name; NULL: there is none. `options` may be NULL. */
const NetOption *net_option_find(const NetOption *options, const char *name);
/* Returns the value that a word of an option stands for; -1: it is not one. */
int net_word_value(const char *words, const char *word);
/* Writes the word for a value in its first spelling. False: it has none. */
bool net_word_of(const char *words, unsigned value, char word[NET_WORD_MAX]);

/* Returns the place of `wanted` among `count` names. If it is not there, -1 and an
 * error: the specification `text` has no such `kind`, all of `forms`, which are the
 * names as people write them, and the nearest name. */
int net_name_find(const char *text, const char *kind, const char *wanted,
                  const char *const *names, const char *const *forms, unsigned count,
                  JmError *error);

#endif
