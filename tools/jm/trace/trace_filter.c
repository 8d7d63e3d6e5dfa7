/* Selects events by node, kind and cycle; reads the lists of the options. */
#include "tools/jm/trace/trace_filter.h"

#include <stdlib.h>
#include <string.h>

#include "emu/jm.h"
#include "tools/host/memory.h"
#include "tools/host/numbers.h"

TraceFilter trace_filter_all(void) {
    return (TraceFilter){.kinds = jm_event_kinds(), .to = UINT64_MAX};
}

void trace_filter_free(TraceFilter *filter) {
    free(filter->ranges);
    filter->ranges = NULL;
    filter->range_count = 0;
}

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
static bool read_range(char *item, NodeRange *range) {
    uint64_t first, last;
    char *dash = strchr(item, '-');
    if (dash)
        *dash = '\0';
    if (!number_parse(item, 0, UINT32_MAX, &first) ||
        !number_parse(dash ? dash + 1 : item, first, UINT32_MAX, &last))
        return false;
    *range = (NodeRange){(uint32_t)first, (uint32_t)last};
    return true;
}

bool trace_filter_nodes(TraceFilter *filter, const char *list) {
    char item[32];
    while (take_item(&list, item, sizeof item)) {
        filter->ranges =
            memory_more(filter->ranges, filter->range_count, sizeof *filter->ranges);
        if (!read_range(item, &filter->ranges[filter->range_count]))
            return false;
        filter->range_count++;
    }
    return *list == '\0' && filter->range_count > 0;
}

/* Returns the name of a kind in lists; NULL: it has none. */
static const char *kind_name(unsigned kind) {
    return kind == JM_EVENT_EXECUTED ? "instruction" : jm_event_name((JmEventKind)kind);
}

/* Adds the kind with a name. */
static bool add_kind(TraceFilter *filter, const char *item, JmSuggestion *near) {
    *near = jm_suggest_start(item);
    for (unsigned kind = 0; kind < JM_EVENT_COUNT; kind++) {
        const char *name = kind_name(kind);
        if (name && strcmp(name, item) == 0) {
            filter->kinds |= UINT32_C(1) << kind;
            near->best = NULL;
            return true;
        }
        if (name)
            jm_suggest_consider(near, name);
    }
    return false;
}

bool trace_filter_kinds(TraceFilter *filter, const char *list, JmSuggestion *near) {
    char item[32];
    filter->kinds = 0;
    *near = jm_suggest_start("");
    while (take_item(&list, item, sizeof item))
        if (!add_kind(filter, item, near))
            return false;
    return *list == '\0' && filter->kinds != 0;
}

uint32_t trace_filter_highest(const TraceFilter *filter) {
    uint32_t highest = 0;
    for (unsigned i = 0; i < filter->range_count; i++)
        if (filter->ranges[i].last > highest)
            highest = filter->ranges[i].last;
    return highest;
}

bool trace_filter_node(const TraceFilter *filter, uint32_t node) {
    for (unsigned i = 0; i < filter->range_count; i++)
        if (node >= filter->ranges[i].first && node <= filter->ranges[i].last)
            return true;
    return filter->range_count == 0;
}
