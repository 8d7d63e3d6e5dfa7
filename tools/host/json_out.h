/* JSON that is written value by value, without a tree in memory: for results of many
 * nodes and events. Compact; reals have nine digits, more than any figure needs and the
 * same text on any host. For all tools.
 *
 *     json.key = "mesh";
 *     jout_open(&json, '[');
 *     jout_integer(&json, 8);
 *     jout_close(&json, ']');             "mesh":[8] */
#ifndef JM_TOOLS_HOST_JSON_OUT_H
#define JM_TOOLS_HOST_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    FILE *out;
    const char *key;  /* of the next value; NULL: it has none, as in arrays */
    const char *line; /* before the next value: a new line and blanks, or NULL */
    bool more;        /* the next value follows another one */
    double number;    /* the last value; NaN if that is not a number */
} Json;

/* Begins a value that is `number`, NaN if it is not one, and that the caller writes to
 * `out`. */
void jout_begin(Json *json, double number);
/* Begin and end an object or an array: one of {}[]. */
void jout_open(Json *json, char bracket);
void jout_close(Json *json, char bracket);

void jout_null(Json *json);
void jout_integer(Json *json, int64_t value);
void jout_unsigned(Json *json, uint64_t value);
void jout_real(Json *json, double value); /* null if it is not finite */
/* Writes a text, which may have any bytes: those that are not UTF-8 become U+FFFD. NULL
 * becomes null. */
void jout_text(Json *json, const char *text);

/* Writes such a text alone. */
void jout_string(FILE *out, const char *text);

#endif
