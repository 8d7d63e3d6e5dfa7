/* Commands that show nodes: what they do, their registers, their output buffers. */
#include <string.h>

#include "emu/debug/past/past.h"
#include "emu/debug/talk/names.h"
#include "net/net.h"

/* ---- commands -------------------------------------------------------------------- */

bool cmd_node(JmDebug *d, Args *args) {
    unsigned node = d->node;
    if (!at_end(args) && (!take_node(args, &node) || !expect_end(args)))
        return false;
    d->node = node;
    look_anew(d);
    say_next(d, node);
    return true;
}

bool cmd_context(JmDebug *d, Args *args) {
    const int context = take_choice(args, "0 1 background running");
    if (context < 0 || !expect_end(args))
        return false;
    d->context = context == 3 ? -1 : context;
    return true;
}

bool cmd_where(JmDebug *d, Args *args) {
    (void)d;
    return for_nodes(args, say_next, NULL);
}

static void say_register(JmDebug *d, unsigned node, JmContext context, JmReg reg) {
    const JmWord word = jm_register(d->machine, node, context, reg);
    say(d, "  %-4s %s\n", jm_reg_name(reg), word_text(d, word));
}

/* Prints four registers of a kind, two on a line. */
static void say_four(JmDebug *d, unsigned node, JmContext context, unsigned first) {
    for (unsigned i = first; i < first + 4; i++) {
        const JmWord word = jm_register(d->machine, node, context, (JmReg)i);
        say(d, "  %-4s %-*s%s", jm_reg_name(i), i % 2 ? 1 : 32, word_text(d, word),
            i % 2 ? "\n" : "");
    }
}

/* Prints the instruction that faulted last, if one did. */
static void say_fault_state(JmDebug *d, unsigned node, unsigned priority) {
    const PriorityWords *state = &node_at(d, node)->words[priority];
    if (!jm_is_instruction(state->fir))
        return;
    say(d, "  last fault: %s   FOP0 %s   FOP1 %s\n", code_text(d, state->fir, true),
        word_text(d, state->fop0), word_text(d, state->fop1));
}

static void say_registers(JmDebug *d, unsigned node) {
    const Node *n = node_at(d, node);
    say(d, "%s in cycle %" PRIu64 ": %s\n", node_text(d, node), d->machine->now,
        activity_text(activity_of(d, node)));
    say(d,
        "  P %u  B %u  I %u  NNR %u  MAR %05" PRIX32 "  TBM %05" PRIX32 "/%" PRIX32
        "%s%s%s\n",
        n->p, n->background, n->masked, n->nnr, n->mar, jm_field20(n->tbm),
        jm_field10(n->tbm), n->posted ? "  external fault posted" : "",
        n->send_open ? "  in the middle of a message" : "",
        jm_redirection_text((JmRedirection)n->redirected));
    for (int c = 0; c < NODE_CONTEXTS; c++) {
        const JmContext context = (JmContext)c;
        const bool active = c == JM_CONTEXT_BACKGROUND || n->priority[c].active;
        say(d, "%s%s%s:\n", jm_context_name(context),
            n->running == (unsigned)c ? ", runs" : "", active ? "" : ", no task");
        say_four(d, node, context, JM_REG_R0);
        say_four(d, node, context, JM_REG_A0);
        if (c != JM_CONTEXT_BACKGROUND)
            say_four(d, node, context, JM_REG_ID0);
        say_register(d, node, context, JM_REG_IP);
        say_register(d, node, context, JM_REG_FIP);
        if (c != JM_CONTEXT_BACKGROUND)
            say_fault_state(d, node, (unsigned)c);
    }
}

bool cmd_registers(JmDebug *d, Args *args) {
    (void)d;
    return for_nodes(args, say_registers, NULL);
}

void info_registers(JmDebug *d) {
    say_registers(d, d->node);
}

/* ---- output buffers -------------------------------------------------------------- */

/* Prints how many places of a node's output buffers are taken, unless both are
 * empty. */
static void say_sending(JmDebug *d, unsigned node) {
    const Net *net = netif_network(d->machine);
    for (unsigned p = 0; p < 2; p++) {
        const unsigned room = net_room(net, node, p), places = net_buffer_words(net);
        if (room == places && !net_is_open(net, node, p))
            continue;
        say(d, "%s p%u: %u of %u places taken%s\n", node_text(d, node), p,
            places - room, places,
            net_is_open(net, node, p) ? ", a message is open" : "");
    }
}

bool cmd_sending(JmDebug *d, Args *args) {
    (void)d;
    return for_nodes(args, say_sending, "nothing is being sent");
}
