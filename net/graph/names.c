/* Names in specifications; see names.h. */
#include "net/graph/names.h"

#include <stdio.h>
#include <string.h>

#include "emu/core/suggest.h"

int net_name_find(const char *text, const char *kind, const char *wanted,
                  const char *const *names, const char *const *forms, unsigned count,
                  JmError *error) {
    char list[400] = "";
    JmSuggestion near = jm_suggest_start(wanted);
    for (unsigned i = 0; i < count; i++) {
        const size_t length = strlen(list);
        if (!names[i])
            continue;
        if (strcmp(names[i], wanted) == 0)
            return (int)i;
        snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "",
                 forms[i]);
        jm_suggest_consider(&near, names[i]);
    }
    jm_fail(error, NULL, "'%s': there is no %s %s; there is %s%s", text, kind, wanted,
            *list ? list : "none", jm_suggest_text(&near, "", ""));
    return -1;
}
