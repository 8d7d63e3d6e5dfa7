/* Dependency rules for make: the files that an object is assembled from. For mdpas. */
#ifndef JM_TOOLS_MDPAS_DEPEND_H
#define JM_TOOLS_MDPAS_DEPEND_H

#include <stdbool.h>

#include "emu/core/inputs.h"

/* The options -M, -MD, -MF, -MT and -MP, as compilers have them. */
typedef struct {
    bool only;            /* -M: no object is written */
    bool too;             /* -MD: the object as well */
    bool phony;           /* -MP: an empty rule for each file but the first */
    const char *file;     /* -MF: where the rule goes; NULL: -M prints it */
    const char **targets; /* -MT: instead of the object's name, as they are */
    int count;            /* of the targets */
} Depend;

/* Returns the rule for `object`, which was assembled from `inputs`, malloc'ed. Blanks,
 * # and $ in names of files are escaped as make reads them. NULL and `error` if a name
 * has a line end, which no rule can hold. */
char *depend_rule(const Depend *depend, const char *object, const JmInputs *inputs,
                  JmError *error);
/* Returns the name of the file beside `object` for its rule, out.d for out.o,
 * malloc'ed. */
char *depend_beside(const char *object);

#endif
