/* Looking at nodes: registers, what they do, queues, output buffers. */
#include <string.h>

#include "emu/debug/inside.h"
#include "net/net.h"

static const char *const context_names[] = {"priority 0", "priority 1", "background"};

const Node *node_at(const Debug *d, unsigned node) {
    return &d->machine->node[node];
}

JmContext context_of(const Debug *d, unsigned node) {
    return d->context >= 0 ? (JmContext)d->context : jm_running(d->machine, node);
}

uint32_t address_of_ip(const Debug *d, unsigned node) {
    const Node *n = node_at(d, node);
    const uint32_t ip = jm_data(n->current->ip);
    return node_code_address(n, ip, jm_field20(ip));
}

/* ---- as text --------------------------------------------------------------------- */

const char *node_text(const Debug *d, unsigned node, char *buffer, size_t size) {
    unsigned x, y, z;
    jm_node_position(d->machine, node, &x, &y, &z);
    snprintf(buffer, size, "node %u (%u,%u,%u)", node, x, y, z);
    return buffer;
}

const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *instruction_text(const Debug *d, uint32_t address, bool low,
                                    bool line, char *buffer, size_t size) {
    char symbol[128], source[160] = "", name[121];
    const char *file;
    int number;
    jm_symbol_at(d->machine, address, symbol, sizeof symbol);
    if (line && jm_instruction_line(d->machine, address, low, &file, &number))
        snprintf(source, sizeof source, " (%s:%d)",
                 jm_printable(file_name(file), name, sizeof name), number);
    snprintf(buffer, size, "%05" PRIX32 "%s%s%s", address, *symbol ? " " : "", symbol,
             source);
    return buffer;
}

const char *place_text(const Debug *d, uint32_t address, bool line, char *buffer,
                       size_t size) {
    return instruction_text(d, address, false, line, buffer, size);
}

/* Words that hold an address say whose it is. */
const char *word_text(const Debug *d, JmWord word, char *buffer, size_t size) {
    char text[32], symbol[128];
    const uint32_t data = jm_data(word);
    jm_word_print(word, text, sizeof text);
    jm_symbol_at(d->machine, jm_field20(data), symbol, sizeof symbol);
    if (jm_same(word, JM_NIL))
        snprintf(buffer, size, "NIL");
    else if (jm_tag(word) == JM_TAG_INT)
        snprintf(buffer, size, "%s  %" PRId32, text, (int32_t)data);
    else if (jm_tag(word) == JM_TAG_BOOL)
        snprintf(buffer, size, "%s  %s", text, data & 1 ? "true" : "false");
    else if (jm_tag(word) == JM_TAG_MSG)
        snprintf(buffer, size, "%s  %s, %" PRIu32 " word%s", text,
                 *symbol ? symbol : "no symbol", jm_field10(data),
                 plural(jm_field10(data)));
    else if (jm_tag(word) == JM_TAG_ADDR)
        snprintf(buffer, size, "%s  %05" PRIX32 " length %" PRIu32 "%s", text,
                 jm_field20(data), jm_field10(data),
                 data & JM_ADDR_INVALID ? " invalid" : "");
    else if (jm_tag(word) == JM_TAG_IP)
        snprintf(buffer, size, "%s  %s%05" PRIX32 "%s%s%s%s%s", text,
                 data & JM_IP_ABSOLUTE ? "" : "A0+", jm_field20(data),
                 *symbol && data & JM_IP_ABSOLUTE ? " " : "",
                 data & JM_IP_ABSOLUTE ? symbol : "", data & JM_IP_PHASE ? " low" : "",
                 data & JM_IP_UNCHECKED ? " U" : "", data & JM_IP_FAULT ? " F" : "");
    else
        snprintf(buffer, size, "%s", text);
    return buffer;
}

const char *activity_of(const Debug *d, unsigned node, char *letter) {
    const Node *n = node_at(d, node);
    static const struct {
        char letter;
        const char *text;
    } kinds[] = {{'X', "stopped"},
                 {'-', "not started"},
                 {'.', "idle"},
                 {'!', "in fault mode"},
                 {'w', "waiting to send"},
                 {'s', "sending"},
                 {'b', "in background"},
                 {'0', "task of priority 0"},
                 {'1', "task of priority 1"}};
    unsigned kind;
    if (n->stop.why == NODE_NOT_STARTED)
        kind = 1;
    else if (!n->runs)
        kind = 0;
    else if (n->asleep)
        kind = 2;
    else if (n->send_wait >> n->running & 1)
        kind = 4;
    else if (jm_data(n->current->ip) & JM_IP_FAULT)
        kind = 3;
    else if (n->send_open)
        kind = 5;
    else
        kind = n->background ? 6 : 7u + n->p;
    if (letter)
        *letter = kinds[kind].letter;
    return kinds[kind].text;
}

void say_next(Debug *d, unsigned node) {
    char name[SHORT_TEXT], place[LONG_TEXT], code[80] = "";
    const Node *n = node_at(d, node);
    const uint32_t address = address_of_ip(d, node);
    const JmWord word = jm_read(d->machine, node, address);
    const bool low = (jm_data(n->current->ip) & JM_IP_PHASE) != 0;
    if (jm_is_instruction(word))
        jm_disassemble(jm_instruction(word, low), code, sizeof code);
    else
        jm_word_print(word, code, sizeof code);
    say(d, "%s %s: %s%s  %s\n", node_text(d, node, name, sizeof name),
        activity_of(d, node, NULL),
        instruction_text(d, address, low, true, place, sizeof place), low ? " low" : "",
        code);
}

/* ---- commands -------------------------------------------------------------------- */

bool cmd_node(Debug *d, Args *args) {
    unsigned node = d->node;
    if (!at_end(args) && (!take_node(args, &node) || !expect_end(args)))
        return false;
    d->node = node;
    look_anew(d);
    say_next(d, node);
    return true;
}

bool cmd_context(Debug *d, Args *args) {
    static const char *const words[] = {"0", "1", "background", "running"};
    skip_blanks(args);
    const char *at = args->at;
    for (int i = 0; i < 4; i++) {
        if (!take_word(args, words[i]))
            continue;
        if (!expect_end(args))
            return false;
        d->context = i == 3 ? -1 : i;
        return true;
    }
    return fail_at(args, at, "a context is 0, 1, background or running");
}

bool cmd_where(Debug *d, Args *args) {
    (void)d;
    return for_nodes(args, say_next, NULL);
}

static void say_register(Debug *d, unsigned node, JmContext context, JmReg reg) {
    char text[LONG_TEXT];
    const JmWord word = jm_register(d->machine, node, context, reg);
    say(d, "  %-4s %s\n", jm_reg_name(reg), word_text(d, word, text, sizeof text));
}

/* Four registers of a kind in two lines of two. */
static void say_four(Debug *d, unsigned node, JmContext context, unsigned first) {
    for (unsigned i = first; i < first + 4; i++) {
        char text[LONG_TEXT];
        const JmWord word = jm_register(d->machine, node, context, (JmReg)i);
        say(d, "  %-4s %-*s%s", jm_reg_name(i), i % 2 ? 1 : 32,
            word_text(d, word, text, sizeof text), i % 2 ? "\n" : "");
    }
}

static void say_fault_state(Debug *d, unsigned node, unsigned priority) {
    char code[80], op0[LONG_TEXT], op1[LONG_TEXT];
    const Priority *state = &node_at(d, node)->priority[priority];
    if (!jm_is_instruction(state->fir))
        return;
    jm_disassemble(jm_instruction(state->fir, 1), code, sizeof code);
    say(d, "  last fault: %s   FOP0 %s   FOP1 %s\n", code,
        word_text(d, state->fop0, op0, sizeof op0),
        word_text(d, state->fop1, op1, sizeof op1));
}

static void say_registers(Debug *d, unsigned node) {
    char name[SHORT_TEXT];
    const Node *n = node_at(d, node);
    say(d, "%s in cycle %" PRIu64 ": %s\n", node_text(d, node, name, sizeof name),
        d->machine->now, activity_of(d, node, NULL));
    say(d,
        "  P %u  B %u  I %u  NNR %u  MAR %05" PRIX32 "  TBM %05" PRIX32 "/%" PRIX32
        "%s%s\n",
        n->p, n->background, n->masked, n->nnr, n->mar, jm_field20(n->tbm),
        jm_field10(n->tbm), n->posted ? "  external fault posted" : "",
        n->send_open ? "  in the middle of a message" : "");
    for (int c = 0; c < NODE_CONTEXTS; c++) {
        const JmContext context = (JmContext)c;
        const bool active = c == JM_CONTEXT_BACKGROUND || n->priority[c].active;
        say(d, "%s%s%s:\n", context_names[c], n->running == (unsigned)c ? ", runs" : "",
            active ? "" : ", no task");
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

bool cmd_registers(Debug *d, Args *args) {
    (void)d;
    return for_nodes(args, say_registers, NULL);
}

/* ---- output buffers -------------------------------------------------------------- */

static void say_sending(Debug *d, unsigned node) {
    const Net *net = netif_network(d->machine);
    char name[SHORT_TEXT];
    for (unsigned p = 0; p < 2; p++) {
        const unsigned room = net_room(net, node, p), places = net_buffer_words(net);
        if (room == places && !net_is_open(net, node, p))
            continue;
        say(d, "%s p%u: %u of %u places taken%s\n",
            node_text(d, node, name, sizeof name), p, places - room, places,
            net_is_open(net, node, p) ? ", a message is open" : "");
    }
}

bool cmd_sending(Debug *d, Args *args) {
    (void)d;
    return for_nodes(args, say_sending, "nothing is being sent");
}
