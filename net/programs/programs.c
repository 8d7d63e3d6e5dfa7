/* Programs as tables, and their text form. */
#include "net/programs/programs.h"

#include <assert.h>
#include <stdio.h>

void net_programs_destroy(NetPrograms *programs) {
    if (programs)
        heap_delete(programs->heap);
}

void net_programs_begin(NetProgramsMaker *maker, Heap *heap, uint32_t nodes) {
    NetPrograms *programs = heap_alloc(heap, sizeof *programs);
    programs->heap = heap;
    programs->nodes = nodes;
    programs->start = heap_alloc(heap, (nodes + 1) * sizeof *programs->start);
    *maker = (NetProgramsMaker){.programs = programs};
}

/* Skipped nodes get empty ranges. */
void net_programs_node(NetProgramsMaker *maker, uint32_t node) {
    assert(node >= maker->node && node <= maker->programs->nodes);
    while (maker->node < node)
        maker->programs->start[++maker->node] = maker->count;
}

void net_programs_add(NetProgramsMaker *maker, NetOp op) {
    NetPrograms *programs = maker->programs;
    programs->ops = heap_grow(programs->heap, programs->ops, maker->count, &maker->room,
                              sizeof *programs->ops);
    programs->ops[maker->count++] = op;
}

NetPrograms *net_programs_end(NetProgramsMaker *maker) {
    net_programs_node(maker, maker->programs->nodes);
    return maker->programs;
}

/* Formats an operation as `jm net trace --help` describes it. */
static void op_text(const NetOp *op, char *text, size_t size) {
    static const char *const names[] = {"compute", "send", "post", "receive"};
    const char *name = names[op->kind];
    if (op->kind == NET_OP_COMPUTE)
        snprintf(text, size, "  %s %u", name, op->amount);
    else if (op->kind != NET_OP_RECEIVE)
        snprintf(text, size, "  %s %u %u", name, op->node, op->amount);
    else if (op->node == NET_NONE)
        snprintf(text, size, "  %s any", name);
    else
        snprintf(text, size, "  %s %u", name, op->node);
}

bool net_programs_write(const NetPrograms *programs, NetProgramsWriter *writer,
                        void *context) {
    char line[64];
    snprintf(line, sizeof line, "nodes %u", programs->nodes);
    if (!writer(context, "programs 1") || !writer(context, line))
        return false;
    for (uint32_t node = 0; node < programs->nodes; node++) {
        const uint32_t end = programs->start[node + 1];
        snprintf(line, sizeof line, "node %u", node);
        if (programs->start[node] < end && !writer(context, line))
            return false;
        for (uint32_t i = programs->start[node]; i < end; i++) {
            op_text(&programs->ops[i], line, sizeof line);
            if (!writer(context, line))
                return false;
        }
    }
    return true;
}
