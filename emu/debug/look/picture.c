/* `picture`: the machine as planes of characters, one for each z, as many beside each
 * other as a line holds.
 *
 *     z=0      z=1
 *     ..0.     ....      y up, x to the right, as `jm report` draws
 *     .s..     .w1. */
#include <string.h>

#include "emu/debug/past/past.h"
#include "emu/debug/talk/names.h"
#include "net/net.h"

/* The subject of a picture. */
typedef struct {
    const JmDebug *d;
    /* queues of which priority; wires of which dimension, 3: all */
    unsigned priority, dimension;
    uint64_t most; /* wires: flits of the busiest node */
} Picture;

/* Returns the character that stands for a node. */
typedef char Glyph(const Picture *p, unsigned node);

/* Returns a share in tenths: '.' for nothing, 0-9 tenths of `whole`, '#' for all. */
static char tenths(uint64_t part, uint64_t whole) {
    if (part == 0 || whole == 0)
        return '.';
    return part >= whole ? '#' : "0123456789"[part * 10 / whole];
}

static char queue_glyph(const Picture *p, unsigned node) {
    const Node *n = node_at(p->d, node);
    const uint32_t size = node_queue_size(n, p->priority);
    if (n->priority[p->priority].qbm & JM_ADDR_INVALID)
        return 'x';
    return tenths(node_queue_length(n, p->priority),
                  size > NODE_QUEUE_MAX_WORDS ? NODE_QUEUE_MAX_WORDS : size);
}

/* Returns a count as one character; '+' is ten or more. */
static char count_glyph(uint64_t count) {
    if (count == 0)
        return '.';
    return count < 10 ? (char)('0' + count) : '+';
}

static char overflow_glyph(const Picture *p, unsigned node) {
    const Node *n = node_at(p->d, node);
    const uint32_t length = node_queue_length(n, p->priority);
    if (length >= node_queue_size(n, p->priority))
        return '#';
    return count_glyph(n->statistics.overflows[p->priority]);
}

static char what_glyph(const Picture *p, unsigned node) {
    return activity_letter(activity_of(p->d, node));
}

static char fault_glyph(const Picture *p, unsigned node) {
    uint64_t sum = 0;
    for (unsigned f = 0; f < JM_FAULT_COUNT; f++)
        sum += node_at(p->d, node)->statistics.faults[f];
    return count_glyph(sum);
}

/* Returns the flits that a node has sent over its wires. */
static uint64_t wire_load(const Picture *p, unsigned node) {
    uint64_t sum = 0;
    for (unsigned d = 0; d < 3; d++)
        if (p->dimension == 3 || p->dimension == d)
            sum += jm_link_flits(p->d->machine, node, d, true) +
                   jm_link_flits(p->d->machine, node, d, false);
    return sum;
}

static char wire_glyph(const Picture *p, unsigned node) {
    const Net *net = netif_network(p->d->machine);
    for (unsigned i = 0; i < 6; i++)
        if ((p->dimension == 3 || p->dimension == i / 2) &&
            net_link_blocked(net, node, i / 2, i % 2 == 0))
            return 'x';
    return tenths(wire_load(p, node), p->most);
}

/* The kinds of pictures, with the meaning of their characters. The last must be
 * "wires": take_detail() gives it a dimension, others a priority. */
static const struct {
    const char *name;
    Glyph *glyph;
    const char *legend;
} kinds[] = {
    {"queue", queue_glyph, ". empty  0-9 tenths full  # full  x disabled or blocked"},
    {"overflow", overflow_glyph, ". never overflowed  1-9 + times  # full now"},
    {"what", what_glyph,
     ". idle  b background  0 1 task  s sending  w waits to send  ! fault mode  "
     "X stopped  - not started"},
    {"faults", fault_glyph, ". none  1-9 + taken so far"},
    {"wires", wire_glyph,
     ". unused  0-9 tenths of the busiest node's  # the busiest  x one is blocked"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- drawing --------------------------------------------------------------------- */

/* The smallest box that holds the nodes shown. */
typedef struct {
    unsigned low[3], high[3]; /* the box shown */
} Box;

/* Returns the ANSI colour of a character: red for stuck, yellow for possibly stuck. */
static const char *colour_of(char c) {
    switch (c) {
    case '#':
    case 'X':
    case 'x':
    case 'w':
        return "31";
    case '!':
    case 's':
        return "33";
    case '.':
    case '-':
        return "2";
    default:
        return "32";
    }
}

static void say_glyph(JmDebug *d, char c) {
    if (d->host.colour)
        text_add(&d->out, "\033[%sm%c\033[0m", colour_of(c), c);
    else
        say(d, "%c", c);
}

/* Prints row `y` of `count` planes from plane `first` on. */
static void say_line(JmDebug *d, const Picture *p, Glyph *glyph, const Box *box,
                     unsigned y, unsigned first, unsigned count) {
    const JmConfig *c = &d->machine->config;
    for (unsigned z = first; z < first + count; z++) {
        for (unsigned x = box->low[0]; x <= box->high[0]; x++)
            say_glyph(d, glyph(p, x + c->size_x * (y + c->size_y * z)));
        say(d, z + 1 < first + count ? " " : "\n");
    }
}

/* Draws the box, planes beside each other as the columns of a line allow. */
static void draw(JmDebug *d, const Picture *p, Glyph *glyph, const Box *box) {
    const unsigned width = box->high[0] - box->low[0] + 1;
    const unsigned cell = width + 1 > 5 ? width + 1 : 5;
    const unsigned columns = d->host.columns > cell ? d->host.columns : cell;
    const unsigned fit = columns / (width + 1) ? columns / (width + 1) : 1;
    for (unsigned first = box->low[2]; first <= box->high[2]; first += fit) {
        const unsigned left = box->high[2] - first + 1;
        const unsigned count = left < fit ? left : fit;
        for (unsigned z = first; z < first + count; z++) {
            char title[16];
            snprintf(title, sizeof title, width < 4 ? "%u" : "z=%u", z);
            say(d, "%-*.*s%s", (int)width, (int)width, title,
                z + 1 < first + count ? " " : "\n");
        }
        for (unsigned y = box->high[1] + 1; y-- > box->low[1];)
            say_line(d, p, glyph, box, y, first, count);
    }
}

/* ---- the command ----------------------------------------------------------------- */

static void box_of(const JmDebug *d, const NodeSet *set, Box *box) {
    bool any = false;
    for (unsigned node = 0; node < d->machine->nodes; node++) {
        unsigned p[3];
        if (!nodeset_has(set, node))
            continue;
        jm_node_position(d->machine, node, &p[0], &p[1], &p[2]);
        for (unsigned i = 0; i < 3; i++) {
            box->low[i] = !any || p[i] < box->low[i] ? p[i] : box->low[i];
            box->high[i] = !any || p[i] > box->high[i] ? p[i] : box->high[i];
        }
        any = true;
    }
}

static void take_detail(Args *args, unsigned kind, Picture *p) {
    static const char *const dimensions[] = {"X", "Y", "Z"};
    for (unsigned i = 0; kind == KINDS - 1 && i < 3; i++)
        if (take_word(args, dimensions[i]))
            p->dimension = i;
    if (kind != KINDS - 1 && take_word(args, "1"))
        p->priority = 1;
    else if (kind != KINDS - 1)
        take_word(args, "0");
}

/* Prints the legend after the title, or on lines of its own if that is too long. */
static void say_legend(JmDebug *d, const char *legend) {
    const char *last = strrchr(text_get(&d->out), '\n');
    const size_t title = strlen(last ? last + 1 : text_get(&d->out));
    const bool fits = title + 3 + strlen(legend) < d->host.columns;
    size_t column = fits ? title + 1 : 0;
    say(d, fits ? ":" : ":\n");
    while (*legend) {
        const char *end = strstr(legend, "  ");
        const size_t length = end ? (size_t)(end - legend) : strlen(legend);
        if (column > 0 && column + 2 + length >= d->host.columns) {
            say(d, "\n");
            column = 0;
        }
        say(d, "  %.*s", (int)length, legend);
        column += 2 + length;
        legend += length + strspn(legend + length, " ");
    }
    say(d, "\n");
}

/* Reports that there is no such picture. */
static bool fail_kind(const Args *args, const char *at) {
    Text words = {.heap = args->d->work};
    for (unsigned i = 0; i < KINDS; i++)
        text_add(&words, "%s%s", i ? " " : "", kinds[i].name);
    return fail_choice(args, at, text_get(&words));
}

bool cmd_picture(JmDebug *d, Args *args) {
    Picture p = {.d = d, .dimension = 3};
    NodeSet set;
    char word[16];
    unsigned kind = 2;
    const char *at = next_at(args);
    if (next_word(args, word, sizeof word)) {
        for (kind = 0; kind < KINDS && strncmp(kinds[kind].name, word, strlen(word));)
            kind++;
        if (kind == KINDS)
            return fail_kind(args, at);
    }
    take_detail(args, kind, &p);
    if (!take_nodes_or_all(args, &set))
        return false;
    Box box = {{0}, {0}};
    box_of(d, &set, &box);
    for (unsigned i = 0; kind == KINDS - 1 && i < d->machine->nodes; i++)
        p.most = wire_load(&p, i) > p.most ? wire_load(&p, i) : p.most;
    say(d, "cycle %" PRIu64 ", %s", d->machine->now, kinds[kind].name);
    if (kind == 0 || kind == 1)
        say(d, " %u", p.priority);
    say(d, ", y up");
    say_legend(d, kinds[kind].legend);
    draw(d, &p, kinds[kind].glyph, &box);
    return true;
}
