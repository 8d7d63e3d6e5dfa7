/* The kernel's files as they are installed or built beside mdpas. */
#ifndef JM_MDPAS_KERNEL_H
#define JM_MDPAS_KERNEL_H

#include <jansson.h>

#include "asm/asm.h"

/* The folders of `options` for .include, then those of the kernel's own files; NULL
 * ends them. */
const char **kernel_folders(const AsmOptions *options);
void kernel_folders_free(const char **folders, const AsmOptions *options);
/* The names that the kernel archive defines for others: keys of an object, which is
 * empty if there is no archive. */
json_t *kernel_names(void);

#endif
