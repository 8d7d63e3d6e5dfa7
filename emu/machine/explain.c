/* Why the machine stopped, in words. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/machine/machine.h"

enum { ROW_MAX = 512, EXPLAINED_NODES = 16 };

typedef struct {
    JmRowWriter *writer;
    void *context;
} Out;

static void row(const Out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void row(const Out *out, const char *format, ...) {
    char text[ROW_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    out->writer(out->context, text);
}

static const char *const CONTEXT_NAMES[] = {"priority 0", "priority 1", "background"};

/* "node 5 (5,0,0)" */
static void print_node(const JmMachine *machine, unsigned node, char *text,
                       size_t size) {
    unsigned x, y, z;
    jm_node_position(machine, node, &x, &y, &z);
    snprintf(text, size, "node %u (%u,%u,%u)", node, x, y, z);
}

/* "01012 main+4 (prog.s:12)" */
static void print_place(const JmMachine *machine, uint32_t address, char *text,
                        size_t size) {
    char symbol[128], line_text[128] = "";
    const char *file;
    int line;
    jm_symbol_at(machine, address, symbol, sizeof symbol);
    if (jm_line_at(machine, address, &file, &line))
        snprintf(line_text, sizeof line_text, " (%.100s:%d)", file, line);
    snprintf(text, size, "%05X%s%s%s", address, symbol[0] ? " " : "", symbol,
             line_text);
}

static void explain_catastrophe(const Out *out, const NodeStop *stop) {
    char word[32];
    jm_word_print(stop->word, word, sizeof word);
    const char *name = jm_fault_name(stop->fault);
    row(out, "  fault %s: %s", name, jm_fault_text(stop->fault));
    if (stop->in_fault)
        row(out, "  -> CATASTROPHE: %s was raised in fault mode (F = 1)", name);
    else if (stop->fault != JM_FAULT_CATASTROPHE)
        row(out, "  -> CATASTROPHE: the vector of %s is not an IP word", name);
    row(out, "  -> stopped: the vector of CATASTROPHE is %s, not an IP word", word);
}

static void explain_stop(const JmMachine *machine, const Out *out, const Node *node) {
    char name[64], place[300];
    const NodeStop *stop = &node->stop;
    print_node(machine, node->rank, name, sizeof name);
    print_place(machine, stop->address, place, sizeof place);
    row(out, "%s stopped in cycle %llu, %s, at %s", name,
        (unsigned long long)stop->cycle, CONTEXT_NAMES[stop->context], place);
    if (stop->why == NODE_CATASTROPHE)
        explain_catastrophe(out, stop);
    else if (stop->why == NODE_BACKGROUND_SUSPEND)
        row(out, "  SUSPEND in background: there is no task to end");
    else
        row(out, "  the routing word %u,%u,%u names no node of a %ux%ux%u machine",
            jm_data(stop->word) & 31, jm_data(stop->word) >> 5 & 31,
            jm_data(stop->word) >> 10 & 63, machine->config.size_x,
            machine->config.size_y, machine->config.size_z);
}

static bool has_stopped(const Node *node) {
    return node->stop.why != NODE_RUNS && node->stop.why != NODE_NOT_STARTED;
}

static void explain_stopped(const JmMachine *machine, const Out *out) {
    unsigned shown = 0, stopped = 0;
    for (unsigned i = 0; i < machine->nodes; i++) {
        if (!has_stopped(&machine->node[i]))
            continue;
        stopped++;
        if (shown < EXPLAINED_NODES) {
            explain_stop(machine, out, &machine->node[i]);
            shown++;
        }
    }
    if (stopped > shown)
        row(out, "and %u more stopped nodes", stopped - shown);
}

/* A node whose network input is closed, or which holds a message half sent. */
static void explain_waiting(const JmMachine *machine, const Out *out,
                            const Node *node) {
    char name[64], place[300];
    const uint32_t ip = jm_data(node->current->ip);
    print_node(machine, node->rank, name, sizeof name);
    print_place(machine, node_code_address(node, ip, jm_field20(ip)), place,
                sizeof place);
    const char *state = node->stop.why == NODE_NOT_STARTED ? "not started"
                        : has_stopped(node)                ? "stopped"
                        : node->asleep                     ? "idle"
                                       : CONTEXT_NAMES[node->running];
    row(out, "%s: %s at %s%s%s%s", name, state, place, node->masked ? ", I = 1" : "",
        node->send_open ? ", in the middle of a send" : "",
        node->posted ? ", an external fault waits" : "");
    for (unsigned p = 0; p < 2; p++) {
        const Priority *q = &node->priority[p];
        if (q->qbm & JM_ADDR_INVALID)
            row(out, "  queue %u is disabled", p);
        else
            row(out, "  queue %u holds %u of %u words%s%s", p,
                node_queue_length(node, p), node_queue_size(node, p),
                q->gate ? "" : ", its input is closed",
                q->active ? ", a task is active" : "");
    }
}

/* Nodes that end a chain: flits wait at their door, they are silent in mid-send, or
 * rest before something that they will never take. */
static void explain_nodes(const JmMachine *machine, const Out *out) {
    bool *awaited = calloc(machine->nodes, sizeof *awaited);
    if (!awaited)
        abort(); /* out of memory: nothing sensible can go on */
    netif_mark_awaited(machine, awaited);
    unsigned shown = 0;
    for (unsigned i = 0; i < machine->nodes && shown < EXPLAINED_NODES; i++) {
        const Node *node = &machine->node[i];
        if (!awaited[i] && !node->send_open && !machine_has_pending(node))
            continue;
        explain_waiting(machine, out, node);
        shown++;
    }
    free(awaited);
}

static void explain_deadlock(const JmMachine *machine, const Out *out) {
    row(out, "%s",
        netif_has_messages(machine) ? "messages are in the network and nothing moves "
                                      "any more; who waits for whom:"
                                    : "every node rests, some before what they could "
                                      "take (I = 0) but never will:");
    netif_explain(machine, out->writer, out->context);
    explain_nodes(machine, out);
    explain_stopped(machine, out);
}

void jm_explain(const JmMachine *machine, JmRowWriter *writer, void *context) {
    const Out out = {writer, context};
    switch (machine->stop) {
    case JM_STOP_EXIT:
        row(&out, "HOST_EXIT with status %d", machine->exit_value);
        break;
    case JM_STOP_IDLE:
        row(&out, "every node is idle and the network is empty");
        explain_stopped(machine, &out);
        break;
    case JM_STOP_STOPPED:
        explain_stopped(machine, &out);
        break;
    case JM_STOP_DEADLOCK:
        explain_deadlock(machine, &out);
        break;
    default:
        row(&out, "the machine can go on");
    }
}
