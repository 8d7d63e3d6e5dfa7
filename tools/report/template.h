/* Pages from templates and values: the part of Mustache that the report needs.
 *
 *     {{name}}             a value, with & < > " ' escaped; nothing if there is none
 *     {{{name}}}           the same as it is
 *     {{#name}}...{{/name}} for each element of a list; once for anything else that is
 *                          there and not false, "" or empty
 *     {{?name}}...{{/name}} once for all of these, with the names of outside
 *     {{^name}}...{{/name}} the contrary
 *
 * Names are looked up in the innermost object that has them; `.` is the element.
 *
 * No library of Mustache in C is packaged for Debian, and with templates page.html can
 * be edited as a page. */
#ifndef JM_TOOLS_REPORT_TEMPLATE_H
#define JM_TOOLS_REPORT_TEMPLATE_H

#include <jansson.h>
#include <stdio.h>

#include "emu/core/status.h"

/* Renders a template to `out`; returns false and fills `error` if it is malformed. */
bool template_render(FILE *out, const char *text, const json_t *values, JmError *error);

#endif
