/* Explains in words why the machine stopped: one case for each kind of stop. stopped.c
 * explains nodes that have stopped. */
#include "emu/machine/stop/explain.h"
#include "emu/machine/calls_inline.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/core/printable.h"
#include "emu/machine/interface/rts.h"
#include "emu/machine/stop/deadlock.h"

/* characters of a row; nodes of a deadlock that are explained */
enum { ROW_MAX = 512, EXPLAINED_NODES = 16, NAMED_RANGES = 16 };

const char *explain_context(JmContext context) {
    static const char *const names[] = {"priority 0", "priority 1", "background"};
    return names[context];
}

void explain_row(const Explain *out, const char *format, ...) {
    char text[ROW_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    out->writer(out->context, text);
}

void explain_node(const JmMachine *machine, unsigned node, char *text, size_t size) {
    unsigned x, y, z;
    jm_node_position(machine, node, &x, &y, &z);
    snprintf(text, size, "node %u (%u,%u,%u)", node, x, y, z);
}

unsigned explain_nodes_where(const JmMachine *machine, ExplainMember *member,
                             const void *set, char *text, size_t size) {
    unsigned count = 0, named = 0, last = 0;
    size_t length = (size_t)snprintf(text, size, "nodes ");
    for (unsigned i = 0, ranges = 0; i < machine->nodes; i++) {
        if (!member(set, &machine->node[i]))
            continue;
        const unsigned first = i;
        while (i + 1 < machine->nodes && member(set, &machine->node[i + 1]))
            i++;
        count += i - first + 1;
        last = i;
        if (++ranges > NAMED_RANGES)
            continue;
        length += (size_t)snprintf(text + length, size - length,
                                   first < i ? "%s%u-%u" : "%s%u",
                                   ranges > 1 ? "," : "", first, i);
        named = count;
    }
    if (count == 1)
        explain_node(machine, last, text, size);
    else if (named < count)
        snprintf(text + length, size - length, " and %u more", count - named);
    return count;
}

void explain_place(const JmMachine *machine, uint32_t address, bool low, char *text,
                   size_t size) {
    char symbol[128], name[101], line_text[128] = "";
    const char *file;
    int line;
    jm_symbol_at(machine, address, symbol, sizeof symbol);
    if (jm_instruction_line(machine, address, low, &file, &line))
        snprintf(line_text, sizeof line_text, " (%s:%d)",
                 jm_printable(file, name, sizeof name), line);
    snprintf(text, size, "%05X%s%s%s", address, symbol[0] ? " " : "", symbol,
             line_text);
}

/* Explains a node whose network input is closed, that has a message half sent, or that
 * rests before a message or fault it will never take. */
static void explain_waiting(const JmMachine *machine, const Explain *out,
                            const Node *node) {
    char name[64], place[300];
    const uint32_t ip = jm_data(node->current->ip);
    explain_node(machine, node->rank, name, sizeof name);
    explain_place(machine, node_code_address(node, ip, jm_field20(ip)),
                  ip & JM_IP_PHASE, place, sizeof place);
    const char *state = node->stop.why == NODE_NOT_STARTED ? "not started"
                        : explain_has_stopped(node)        ? "stopped"
                        : node->asleep                     ? "idle"
                                       : explain_context((JmContext)node->running);
    explain_row(out, "%s: %s at %s%s%s%s", name, state, place,
                node->masked ? ", I = 1" : "",
                node->send_open ? ", in the middle of a send" : "",
                node->posted ? ", an external fault waits" : "");
    for (unsigned p = 0; p < 2; p++) {
        const Priority *q = &node->priority[p];
        if (q->qbm & JM_ADDR_INVALID)
            explain_row(out, "  queue %u is disabled", p);
        else
            explain_row(out, "  queue %u holds %u of %u words%s%s", p,
                        node_queue_length(node, p), node_queue_size(node, p),
                        q->gate ? ""
                        : p == 0 && node->brake == NODE_BRAKE_ON
                            ? ", its brake is on"
                            : ", its input is closed",
                        q->active ? ", a task is active" : "");
    }
    for (unsigned i = 0; machine_rest_place(i); i++) {
        const uint32_t words = machine_rest_place(i)->words(machine, node);
        if (words)
            explain_row(out, "  %u words %s", words, machine_rest_place(i)->text);
    }
}

/* Explains the nodes at the ends of chains of waiting: those at which flits wait to be
 * ejected, that have a message open, or that rest before something they will never
 * take. At most EXPLAINED_NODES. */
static void explain_nodes(const JmMachine *machine, const Explain *out) {
    bool *awaited = calloc(machine->nodes, sizeof *awaited);
    if (!awaited) {
        explain_row(out, "no memory to look for the nodes that wait");
        return;
    }
    netif_mark_awaited(machine, awaited);
    unsigned shown = 0;
    for (unsigned i = 0; i < machine->nodes && shown < EXPLAINED_NODES; i++) {
        const Node *node = &machine->node[i];
        if (!awaited[i] && !node->send_open && !machine_leaves(machine, node))
            continue;
        explain_waiting(machine, out, node);
        shown++;
    }
    free(awaited);
}

/* Explains that messages bounce: where most of them are returned, and what the task
 * there does. At most EXPLAINED_NODES. */
static void explain_livelock(const JmMachine *machine, const Explain *out) {
    explain_row(out,
                "livelock: %" PRIu64 " messages came back to their senders since any "
                "node last executed a SUSPEND, and rts_backoff keeps each back for %u "
                "cycles; who turned them back:",
                rts_bounced(machine), machine->config.interface.rts_backoff);
    for (unsigned i = 0, shown = 0; i < machine->nodes && shown < EXPLAINED_NODES;
         i++) {
        const Node *node = &machine->node[i];
        JmNodeStatistics s;
        char name[64];
        jm_node_statistics(machine, i, &s);
        if (s.returns_out == 0 || node_queue_length(node, 0) < NODE_ROW_WORDS)
            continue;
        explain_node(machine, i, name, sizeof name);
        explain_row(out, "  %s: %" PRIu64 " so far; queue 0 holds %u of %u words%s",
                    name, s.returns_out, node_queue_length(node, 0),
                    node_queue_size(node, 0),
                    node->send_wait & 1 ? "; its task waits for room to send" : "");
        shown++;
    }
}

static void explain_deadlock(const JmMachine *machine, const Explain *out) {
    if (rts_is_livelocked(machine)) {
        explain_livelock(machine, out);
        return;
    }
    explain_row(out, "%s",
                netif_has_messages(machine)
                    ? "messages are in the network and nothing moves "
                      "any more; who waits for whom:"
                    : "every node rests, and what is left nobody will ever take:");
    netif_explain(machine, out->writer, out->context);
    explain_nodes(machine, out);
    explain_stopped(machine, out);
}

static void explain(const JmMachine *machine, const Explain *out) {
    switch (machine->stop) {
    case JM_STOP_EXIT:
        explain_row(out, "HOST_EXIT with status %d", machine->exit_value);
        break;
    case JM_STOP_IDLE:
        explain_row(out, "every node is idle and the network is empty");
        explain_stopped(machine, out);
        break;
    case JM_STOP_STOPPED:
        explain_stopped(machine, out);
        break;
    case JM_STOP_DEADLOCK:
        explain_deadlock(machine, out);
        break;
    case JM_STOP_MEMORY:
        explain_row(out, "the host has no memory for what the machine has to do; its "
                         "state is lost");
        break;
    default:
        explain_going(machine, out);
    }
}

/* Explains, and says why source lines are not quoted. */
static void explain_all(const JmMachine *machine, Explain out) {
    bool newer = false;
    out.newer = &newer;
    explain(machine, &out);
    const char *file;
    for (unsigned i = 0; newer && (file = jm_source_name(machine, i)); i++)
        if (jm_source_is_newer(machine, file))
            explain_row(&out, "warning: %s is newer than the image: it is not quoted",
                        JM_SHOWN(file));
}

void jm_explain(const JmMachine *machine, JmRowWriter *writer, void *context) {
    call_looks(machine);
    assert(writer);
    explain_all(machine, (Explain){writer, context, false, NULL});
}

void jm_explain_chain(const JmMachine *machine, JmRowWriter *writer, void *context) {
    call_looks(machine);
    assert(writer);
    explain_all(machine, (Explain){writer, context, true, NULL});
}
