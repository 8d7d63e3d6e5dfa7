/* The cross-reference of a source: symbols, where they are defined and used. For mdpas.
 */
#ifndef JM_TOOLS_MDPAS_CROSS_H
#define JM_TOOLS_MDPAS_CROSS_H

#include "asm/asm.h"

/* Returns the cross-reference as text, malloc'ed: a line for each symbol and macro, by
 * name, with its kind, value, the lines that define it and those that use it. Left out
 * are symbols of included files that nothing uses. */
char *cross_reference(const AsmIndex *index);

#endif
