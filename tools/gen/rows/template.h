/* Templates of generated texts: lines are copied, and a line "@name argument" is
 * replaced by what the directive of this name writes. @VERSION@ in a line is the
 * version. For the generators. */
#ifndef JM_TOOLS_GEN_TEMPLATE_H
#define JM_TOOLS_GEN_TEMPLATE_H

#include <stdbool.h>
#include <stdio.h>

/* A directive of a template. */
typedef struct {
    const char *name; /* NULL: end of the table */
    /* Writes what replaces the line. False: there is no such argument. */
    bool (*write)(FILE *out, const char *argument);
} Directive;

/* Fills the template onto standard output. Returns an exit status; what was wrong has
 * been reported in the name of `program`. */
int template_fill(const char *program, const char *path, const Directive *directives);

#endif
