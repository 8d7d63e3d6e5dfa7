/* All values that the template page.html uses. */
#ifndef JM_TOOLS_REPORT_PAGE_H
#define JM_TOOLS_REPORT_PAGE_H

#include <jansson.h>

#include "emu/core/status.h"

/* Draws the figures of `folder` and gathers claims, verdicts, tables and data. Returns
 * NULL and an error on failure. */
json_t *page_make(const char *folder, JmError *error);

#endif
