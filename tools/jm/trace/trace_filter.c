/* Selects events by node, kind and cycle; reads the lists of the options. */
#include "tools/jm/trace/trace_filter.h"

#include <stdlib.h>
#include <string.h>

#include "tools/host/numbers.h"

static const char *const kind_name[JM_EVENT_COUNT] = {
    [JM_EVENT_DISPATCH] = "dispatch", [JM_EVENT_FAULT] = "fault",
    [JM_EVENT_SUSPEND] = "suspend",   [JM_EVENT_SEND] = "send",
    [JM_EVENT_ARRIVE] = "arrive",     [JM_EVENT_OVERFLOW] = "overflow",
    [JM_EVENT_RETURN] = "return",     [JM_EVENT_SPILL] = "spill",
    [JM_EVENT_BRAKE] = "brake",
};

const char *trace_kind_name(JmEventKind kind) {
    return kind_name[kind];
}

TraceFilter trace_filter_all(void) {
    TraceFilter filter = {.to = UINT64_MAX};
    for (unsigned kind = 0; kind < JM_EVENT_COUNT; kind++)
        filter.kinds |= kind_name[kind] ? UINT32_C(1) << kind : 0;
    return filter;
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
        NodeRange *grown =
            realloc(filter->ranges, (filter->range_count + 1) * sizeof *filter->ranges);
        if (!grown)
            abort(); /* out of memory: cannot continue */
        filter->ranges = grown;
        if (!read_range(item, &filter->ranges[filter->range_count]))
            return false;
        filter->range_count++;
    }
    return *list == '\0' && filter->range_count > 0;
}

static uint32_t kind_bit(const char *name) {
    for (unsigned kind = 0; kind < JM_EVENT_COUNT; kind++)
        if (kind_name[kind] && strcmp(kind_name[kind], name) == 0)
            return UINT32_C(1) << kind;
    return 0;
}

bool trace_filter_kinds(TraceFilter *filter, const char *list) {
    char item[32];
    filter->kinds = 0;
    while (take_item(&list, item, sizeof item)) {
        if (!kind_bit(item))
            return false;
        filter->kinds |= kind_bit(item);
    }
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
