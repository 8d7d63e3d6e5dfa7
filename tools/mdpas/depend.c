#include "tools/mdpas/depend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"

enum { COLUMNS = 79 };

/* Writes the name of a file as make reads it back; returns how many bytes. */
static int put_name(FILE *out, const char *name) {
    int length = 0;
    for (const char *at = name; *at; at++) {
        if (*at == '$')
            length += fprintf(out, "$");
        else if (*at == ' ' || *at == '\t' || *at == '#')
            length += fprintf(out, "\\");
        length += fprintf(out, "%c", *at);
    }
    return length;
}

static void put_targets(FILE *out, const Depend *depend, const char *object) {
    for (int i = 0; i < depend->count; i++)
        fprintf(out, "%s%s", i ? " " : "", depend->targets[i]);
    if (depend->count == 0)
        put_name(out, object);
    fputc(':', out);
}

/* Whether an input is a file that make can look for. */
static bool is_file(const char *input) {
    return strcmp(input, "/dev/stdin") != 0;
}

static void put_inputs(FILE *out, const JmInputs *inputs) {
    size_t column = 0;
    for (unsigned i = 0; i < inputs->count; i++) {
        const char *input = inputs->paths[i];
        if (!is_file(input))
            continue;
        const bool breaks = column && column + strlen(input) > COLUMNS;
        fputs(breaks ? " \\\n " : " ", out);
        column = (breaks ? 0 : column) + 1 + (size_t)put_name(out, input);
    }
    fputc('\n', out);
}

char *depend_rule(const Depend *depend, const char *object, const JmInputs *inputs,
                  JmError *error) {
    for (unsigned i = 0; i < inputs->count; i++)
        if (strchr(inputs->paths[i], '\n')) {
            jm_fail(error, NULL, "a rule for make cannot name a file with a line end");
            return NULL;
        }
    char *text = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&text, &size));
    put_targets(out, depend, object);
    put_inputs(out, inputs);
    for (unsigned i = 1; depend->phony && i < inputs->count; i++)
        if (is_file(inputs->paths[i])) {
            put_name(out, inputs->paths[i]);
            fputs(":\n", out);
        }
    const bool full = fclose(out) != 0;
    return memory_checked(full ? NULL : text);
}

char *depend_beside(const char *object) {
    const char *slash = strrchr(object, '/');
    const char *dot = strrchr(slash ? slash : object, '.');
    const size_t stem = dot ? (size_t)(dot - object) : strlen(object);
    return memory_text("%.*s.d", (int)stem, object);
}
