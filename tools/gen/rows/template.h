/* Templates of generated texts: lines are copied, except that the directive `name`
 * replaces a line "@name argument" with its output, and @VERSION@ in a line with the
 * version. For the generators. */
#ifndef JM_TOOLS_GEN_TEMPLATE_H
#define JM_TOOLS_GEN_TEMPLATE_H

#include <stdbool.h>
#include <stdio.h>

/* A directive of a template. */
typedef struct {
    const char *name; /* NULL: end of the table */
    /* Writes the replacement of the line. False: there is no such argument. */
    bool (*write)(FILE *out, const char *argument);
} Directive;

/* Writes the template that the only argument names, filled, to standard output. Returns
 * an exit status; errors have been reported in the name of `program`. */
int template_fill(const char *program, int argc, char **argv,
                  const Directive *directives);

#endif
