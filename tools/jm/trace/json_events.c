/* Writes the pieces of events of a trace as JSON; json_events.h says which. */
#include "tools/jm/trace/json_events.h"

#include <inttypes.h>

/* `text` is UTF-8, as jm_symbol_at() gives it. */
static void put_string(FILE *out, const char *text) {
    putc('"', out);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04X", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

void json_begin(JsonEvents *json, char phase, uint32_t node, unsigned context,
                uint64_t cycle) {
    fprintf(json->out,
            "%s{\"ph\":\"%c\",\"pid\":%" PRIu32 ",\"tid\":%u,\"ts\":%" PRIu64,
            json->first ? "" : ",\n", phase, node, context, cycle);
    json->first = false;
}

void json_name(JsonEvents *json, const char *category, const char *name) {
    fprintf(json->out, ",\"cat\":\"%s\",\"name\":", category);
    put_string(json->out, name);
}

void json_symbol(JsonEvents *json, const char *category, uint32_t address) {
    char symbol[256];
    jm_symbol_at(json->machine, address, symbol, sizeof symbol);
    if (!*symbol)
        snprintf(symbol, sizeof symbol, "%05" PRIX32, address);
    json_name(json, category, symbol);
}

void json_end(JsonEvents *json) {
    putc('}', json->out);
}

void json_flow(JsonEvents *json, char phase, uint32_t node, unsigned context,
               uint64_t cycle, uint64_t flow) {
    json_begin(json, phase, node, context, cycle);
    json_name(json, "message", "message");
    fprintf(json->out, ",\"id\":%" PRIu64 "%s", flow,
            phase == 'f' ? ",\"bp\":\"e\"" : "");
    json_end(json);
}

static void put_metadata(JsonEvents *json, const char *what, uint32_t node,
                         unsigned context, const char *name) {
    json_begin(json, 'M', node, context, 0);
    fprintf(json->out,
            ",\"cat\":\"__metadata\",\"name\":\"%s\",\"args\":{\"name\":", what);
    put_string(json->out, name);
    fputs("}}", json->out);
}

/* Viewers show a node as a process and its contexts as threads. */
void json_track_names(JsonEvents *json, uint32_t node) {
    static const char *const contexts[JSON_TRACKS] = {"priority 0", "priority 1",
                                                      "background"};
    unsigned x, y, z;
    char name[64];
    jm_node_position(json->machine, node, &x, &y, &z);
    snprintf(name, sizeof name, "node %" PRIu32 " (%u,%u,%u)", node, x, y, z);
    put_metadata(json, "process_name", node, 0, name);
    for (unsigned context = 0; context < JSON_TRACKS; context++)
        put_metadata(json, "thread_name", node, context, contexts[context]);
}
