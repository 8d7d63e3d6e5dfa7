/* Reads the lists by which the options select events. */
#include "tools/jm/trace/trace_filter.h"

#include <string.h>

#include "emu/jm.h"
#include "tools/host/memory.h"
#include "tools/host/numbers.h"

/* Takes the next item of a comma-separated list. False at the end of the list, and for
 * an empty or too long item; then `*list` stays where it is. */
static bool take_item(const char **list, char *item, size_t size) {
    const size_t length = strcspn(*list, ",");
    if (!length || length >= size)
        return false;
    memcpy(item, *list, length);
    item[length] = '\0';
    *list += length;
    if (**list == ',' && (*list)[1])
        ++*list;
    return true;
}

/* Reads "5" or "8-15". */
static bool read_range(char *item, uint64_t *first, uint64_t *last) {
    char *dash = strchr(item, '-');
    if (dash)
        *dash = '\0';
    return number_parse(item, 0, UINT32_MAX, first) &&
           number_parse(dash ? dash + 1 : item, *first, UINT32_MAX, last);
}

bool trace_filter_nodes(JmEventFilter *filter, const char *list, uint32_t *highest) {
    enum { NODES = JM_MAX_X * JM_MAX_Y * JM_MAX_Z };
    char item[32];
    uint64_t first, last;
    const char *start = list;
    if (!filter->nodes)
        filter->nodes = memory_array(NODES / 64, sizeof *filter->nodes);
    while (take_item(&list, item, sizeof item)) {
        if (!read_range(item, &first, &last))
            return false;
        for (uint64_t node = first; node <= last && node < NODES; node++)
            filter->nodes[node / 64] |= UINT64_C(1) << node % 64;
        if (last > *highest)
            *highest = (uint32_t)last;
    }
    return *list == '\0' && list != start;
}

/* Returns the name of a kind in lists; NULL: it has none. */
static const char *kind_name(unsigned kind) {
    return kind == JM_EVENT_EXECUTED ? "instruction" : jm_event_name((JmEventKind)kind);
}

/* Adds the kind with a name. */
static bool add_kind(uint32_t *kinds, const char *item, JmSuggestion *near) {
    *near = jm_suggest_start(item);
    for (unsigned kind = 0; kind < JM_EVENT_COUNT; kind++) {
        const char *name = kind_name(kind);
        if (name && strcmp(name, item) == 0) {
            *kinds |= UINT32_C(1) << kind;
            near->best = NULL;
            return true;
        }
        if (name)
            jm_suggest_consider(near, name);
    }
    return false;
}

bool trace_filter_kinds(const char *list, uint32_t *kinds, JmSuggestion *near) {
    char item[32];
    *kinds = 0;
    *near = jm_suggest_start("");
    while (take_item(&list, item, sizeof item))
        if (!add_kind(kinds, item, near))
            return false;
    return *list == '\0' && *kinds != 0;
}
