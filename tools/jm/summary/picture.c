/* Pictures of a run in the terminal: reads the samples, draws them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "emu/jm.h"
#include "tools/host/memory.h"
#include "tools/jm/summary/summary.h"

/* ---- reading --------------------------------------------------------------------- */

static const char *const axis = "xyz";

static uint64_t link_flits(const json_t *node, unsigned dimension, char side) {
    const char key[] = {axis[dimension], side, '\0'};
    return count_of(json_object_get(node, "links"), key);
}

/* Reads the sizes, which bound everything that is allocated after. */
static bool read_mesh(Picture *picture, const json_t *root) {
    static const unsigned most[] = {JM_MAX_X, JM_MAX_Y, JM_MAX_Z};
    const json_t *mesh = json_object_get(root, "mesh");
    picture->nodes = 1;
    for (unsigned d = 0; d < PICTURE_DIMENSIONS; d++) {
        const json_int_t size = json_integer_value(json_array_get(mesh, d));
        if (size < 1 || size > (json_int_t)most[d])
            return false;
        picture->size[d] = (unsigned)size;
        picture->nodes *= picture->size[d];
    }
    return json_array_size(json_object_get(root, "nodes")) == picture->nodes;
}

/* Adds a node's flits to its wires. The two directions of a wire are counted at its two
 * ends; both are added to the lower end. */
static void add_links(Picture *picture, const json_t *node, unsigned rank) {
    unsigned stride = 1;
    for (unsigned d = 0; d < PICTURE_DIMENSIONS; d++) {
        picture->links[rank].flits[d] += link_flits(node, d, '+');
        if (rank >= stride)
            picture->links[rank - stride].flits[d] += link_flits(node, d, '-');
        stride *= picture->size[d];
    }
}

/* Returns the cycles in which a node was not idle, by their classes. */
static uint64_t busy_cycles(const json_t *node) {
    const json_t *cycles = json_object_get(node, "cycles");
    uint64_t busy = 0;
    const char *class;
    json_t *value;
    json_object_foreach ((json_t *)cycles, class, value)
        busy += strcmp(class, "idle") != 0 ? count_of(cycles, class) : 0;
    return busy;
}

/* Reads the nodes. False if one is missing. */
static bool read_nodes(Picture *picture, const json_t *root) {
    const json_t *nodes = json_object_get(root, "nodes");
    picture->node = memory_array(picture->nodes, sizeof *picture->node);
    picture->links = memory_array(picture->nodes, sizeof *picture->links);
    for (unsigned rank = 0; rank < picture->nodes; rank++) {
        const json_t *node = json_array_get(nodes, rank);
        if (!json_is_integer(json_object_get(node, "messages_in")))
            return false;
        picture->node[rank] = (PictureNode){
            rank, busy_cycles(node), count_of(node, "instructions"),
            count_of(node, "messages_in"), count_of(node, "queue_max_words")};
        add_links(picture, node, rank);
    }
    return true;
}

/* Copies a text with control characters escaped, since the file is not trusted. */
static char *copy_printable(const char *text) {
    const size_t size = strlen(text) * JM_PRINTABLE_FACTOR + 1;
    return jm_printable(text, memory_array(size, 1), size);
}

static bool read_run(Picture *picture, const json_t *root) {
    const char *program = json_string_value(json_object_get(root, "program"));
    const char *stop = json_string_value(json_object_get(root, "stop"));
    const json_t *use =
        json_object_get(json_object_get(root, "network"), "wire_utilisation");
    if (!program || !stop || !use)
        return false;
    picture->program = copy_printable(program);
    picture->stop = copy_printable(stop);
    picture->cycles = count_of(root, "cycles");
    picture->instructions = count_of(root, "instructions");
    picture->messages = count_of(root, "messages");
    picture->overflows = count_of(root, "overflows");
    picture->seconds = json_number_value(json_object_get(root, "seconds"));
    for (unsigned d = 0; d < PICTURE_DIMENSIONS; d++) {
        const char key[] = {axis[d], '\0'};
        picture->wire_utilisation[d] = json_number_value(json_object_get(use, key));
    }
    return true;
}

bool picture_read(Picture *picture, const json_t *root) {
    *picture = (Picture){0};
    return read_mesh(picture, root) && read_run(picture, root) &&
           read_nodes(picture, root);
}

void picture_free(Picture *picture) {
    free(picture->program);
    free(picture->stop);
    free(picture->node);
    free(picture->links);
}

/* ---- drawing --------------------------------------------------------------------- */

/* Columns of a terminal; LINE has room for wide titles; BAR: characters of the longest
 * bar; SHADES of a share. */
enum { COLUMNS = 80, LINE = COLUMNS + 32, GAP = 3, BAR = 50, SHADES = 9, BUSIEST = 5 };

/* Returns a count as a digit: its share of the largest, in ninths, rounded up. */
static char shade(uint64_t count, uint64_t most) {
    static const char shades[] = " .:-=+*#%@";
    if (count == 0)
        return ' ';
    const double share = (double)count / (double)most;
    unsigned level = (unsigned)(share * SHADES);
    level += (double)level < share * SHADES;
    return shades[level];
}

/* Returns the number of binary digits of a count: 'o' for 0, 1 for 1, 2 for 2-3, 3 for
 * 4-7, ... */
static char magnitude(uint64_t count) {
    static const char digits[] = "o123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    unsigned bits = 0;
    for (; count; count >>= 1)
        bits++;
    return bits < sizeof digits - 1 ? digits[bits] : '+';
}

static unsigned rank_of(const Picture *p, unsigned x, unsigned y, unsigned z) {
    return x + p->size[0] * (y + p->size[1] * z);
}

/* The busiest wire: its lower end's rank and dimension. */
typedef struct {
    unsigned rank, dimension;
    uint64_t flits;
} Busiest;

static Busiest busiest_link(const Picture *p) {
    Busiest best = {0};
    for (unsigned rank = 0; rank < p->nodes; rank++)
        for (unsigned d = 0; d < PICTURE_DIMENSIONS; d++)
            if (p->links[rank].flits[d] > best.flits)
                best = (Busiest){rank, d, p->links[rank].flits[d]};
    return best;
}

/* ---- planes ---------------------------------------------------------------------- */

/* Draws one text row of one plane from `text` on: even rows hold nodes and x wires, odd
 * rows y wires. Rows count from the highest y down, so that y points up. */
static void draw_plane_row(const Picture *p, unsigned z, unsigned row, uint64_t most,
                           char *text) {
    const unsigned y = p->size[1] - 1 - (row + 1) / 2;
    const bool wires = row % 2 != 0;
    for (unsigned x = 0; x < p->size[0]; x++) {
        const unsigned rank = rank_of(p, x, y, z);
        const uint64_t *flits = p->links[rank].flits;
        text[2 * x] =
            wires ? shade(flits[1], most) : magnitude(p->node[rank].messages_in);
        if (!wires && x + 1 < p->size[0])
            text[2 * x + 1] = shade(flits[0], most);
    }
}

/* Draws one text row of the z wires between planes z and z + 1. */
static void draw_rise_row(const Picture *p, unsigned z, unsigned row, uint64_t most,
                          char *text) {
    const unsigned y = p->size[1] - 1 - row;
    for (unsigned x = 0; x < p->size[0]; x++)
        text[x] = shade(p->links[rank_of(p, x, y, z)].flits[2], most);
}

/* Draws one text row of the longest queues of a plane. */
static void draw_queue_row(const Picture *p, unsigned z, unsigned row, uint64_t most,
                           char *text) {
    const unsigned y = p->size[1] - 1 - row;
    for (unsigned x = 0; x < p->size[0]; x++)
        text[2 * x] = shade(p->node[rank_of(p, x, y, z)].queue_max, most);
}

typedef void RowDrawer(const Picture *p, unsigned z, unsigned row, uint64_t most,
                       char *text);

/* Grids of equal size, as many side by side as fit. */
typedef struct {
    RowDrawer *draw_row;
    unsigned grids, width, rows;
    const char *title; /* goes before a grid's number */
} Grids;

/* Returns the columns of a grid with the gap behind it. */
static unsigned cell_width(const Grids *g) {
    const unsigned title = (unsigned)strlen(g->title) + 2;
    return (g->width > title ? g->width : title) + GAP;
}

/* Prints a line without trailing blanks, then fills it with blanks for the next row. */
static void print_trimmed(char *line, FILE *out) {
    int length = LINE;
    while (length > 0 && line[length - 1] == ' ')
        length--;
    fprintf(out, "%.*s\n", length, line);
    memset(line, ' ', LINE);
}

/* Whether nothing happened in a grid: it has blanks and 'o' alone. */
static bool is_empty(const Picture *p, const Grids *g, unsigned z, uint64_t most) {
    for (unsigned row = 0; row < g->rows; row++) {
        char text[LINE];
        memset(text, ' ', LINE);
        g->draw_row(p, z, row, most, text);
        for (unsigned i = 0; i < LINE; i++)
            if (text[i] != ' ' && text[i] != 'o')
                return false;
    }
    return true;
}

/* Draws `count` grids side by side, with their titles. */
static void draw_group(const Picture *p, const Grids *g, const unsigned *planes,
                       unsigned count, uint64_t most, FILE *out) {
    const unsigned cell = cell_width(g);
    char line[LINE];
    memset(line, ' ', LINE);
    for (unsigned i = 0; i < count; i++) {
        char text[32];
        const int length = snprintf(text, sizeof text, "%s%u", g->title, planes[i]);
        memcpy(line + i * cell, text, (size_t)length);
    }
    print_trimmed(line, out);
    for (unsigned row = 0; row < g->rows; row++) {
        for (unsigned i = 0; i < count; i++)
            g->draw_row(p, planes[i], row, most, line + i * cell);
        print_trimmed(line, out);
    }
    putc('\n', out);
}

/* Names the grids that are not drawn, as ranges. */
static void name_empty(const Grids *g, const bool *empty, FILE *out) {
    const char *before = "Empty: ";
    for (unsigned z = 0; z < g->grids; z++) {
        const unsigned first = z;
        while (empty[z] && z + 1 < g->grids && empty[z + 1])
            z++;
        if (!empty[z])
            continue;
        fprintf(out, "%s%s%u", before, g->title, first);
        if (z > first)
            fprintf(out, "..%u", z);
        before = ", ";
    }
    fputs(*before == ',' ? "\n\n" : "", out);
}

/* Draws the grids in which something happened in groups that fit the line. */
static void draw_grids(const Picture *p, const Grids *g, uint64_t most, FILE *out) {
    const unsigned fit = (COLUMNS + GAP) / cell_width(g);
    unsigned planes[COLUMNS], count = 0;
    bool empty[JM_MAX_Z];
    for (unsigned z = 0; z < g->grids; z++) {
        empty[z] = is_empty(p, g, z, most);
        if (!empty[z])
            planes[count++] = z;
        if (count == fit || (count && z + 1 == g->grids)) {
            draw_group(p, g, planes, count, most, out);
            count = 0;
        }
    }
    name_empty(g, empty, out);
}

static void draw_planes(const Picture *p, uint64_t most, FILE *out) {
    const Grids planes = {draw_plane_row, p->size[2], 2 * p->size[0] - 1,
                          2 * p->size[1] - 1, "plane z="};
    const Grids rises = {draw_rise_row, p->size[2] - 1, p->size[0], p->size[1],
                         "up from z="};
    fputs("Planes, x to the right and y up. Nodes: binary digits of the messages that\n"
          "came in (o none, 1 one, 2 2-3, 3 4-7, ...). Wires: flits, both ways, in "
          "ninths\n"
          "of the busiest wire's:  .:-=+*#%@\n\n",
          out);
    draw_grids(p, &planes, most, out);
    if (rises.grids == 0)
        return;
    fputs("Wires between the planes\n\n", out);
    draw_grids(p, &rises, most, out);
}

/* ---- figures --------------------------------------------------------------------- */

static void draw_figures(const Picture *p, FILE *out) {
    const char *slash = strrchr(p->program, '/');
    fprintf(out, "%s on %ux%ux%u nodes: %s after %" PRIu64 " cycles (%.6g ms)\n",
            slash ? slash + 1 : p->program, p->size[0], p->size[1], p->size[2], p->stop,
            p->cycles, p->seconds * 1000);
    fprintf(out,
            "%" PRIu64 " instructions, %" PRIu64 " messages, %" PRIu64
            " queue overflows\n",
            p->instructions, p->messages, p->overflows);
    for (unsigned d = 0; d < PICTURE_DIMENSIONS; d++) {
        fprintf(out, "%c wires used %6.2f%%", axis[d], p->wire_utilisation[d] * 100);
        const int bar = (int)(p->wire_utilisation[d] * BAR + 0.5);
        fputs(bar ? "  " : "", out);
        for (int i = 0; i < bar; i++)
            putc('#', out);
        putc('\n', out);
    }
}

static int compare_counts(uint64_t a, uint64_t b) {
    return (a < b) - (a > b);
}

/* Sorts the busiest nodes first, of equal ones the lowest rank. */
static int by_business(const void *a, const void *b) {
    const PictureNode *first = a, *second = b;
    const int busy = compare_counts(first->busy, second->busy);
    const int messages = compare_counts(first->messages_in, second->messages_in);
    return busy       ? busy
           : messages ? messages
                      : (first->rank > second->rank) - (first->rank < second->rank);
}

static void draw_busiest_nodes(const Picture *p, FILE *out) {
    PictureNode *nodes = memory_array(p->nodes, sizeof *nodes);
    memcpy(nodes, p->node, p->nodes * sizeof *nodes);
    qsort(nodes, p->nodes, sizeof *nodes, by_business);
    fputs("Busiest nodes      busy   instructions    messages in  longest queue\n",
          out);
    for (unsigned i = 0; i < p->nodes && i < BUSIEST; i++) {
        const PictureNode *n = &nodes[i];
        const unsigned x = n->rank % p->size[0], rest = n->rank / p->size[0];
        char place[64];
        snprintf(place, sizeof place, "%u (%u,%u,%u)", n->rank, x, rest % p->size[1],
                 rest / p->size[1]);
        const double cycles = p->cycles ? (double)p->cycles : 1;
        fprintf(out, "  %-14s %5.1f%% %14" PRIu64 " %14" PRIu64 " %14" PRIu64 "\n",
                place, (double)n->busy / cycles * 100, n->instructions, n->messages_in,
                n->queue_max);
    }
    free(nodes);
}

static void draw_busiest(const Picture *p, const Busiest *wire, FILE *out) {
    putc('\n', out);
    draw_busiest_nodes(p, out);
    if (wire->flits)
        fprintf(out, "Busiest wire: from %u up in %c, %" PRIu64 " flits\n", wire->rank,
                axis[wire->dimension], wire->flits);
    putc('\n', out);
}

void picture_draw(const Picture *picture, FILE *out) {
    const Busiest wire = busiest_link(picture);
    draw_figures(picture, out);
    draw_busiest(picture, &wire, out);
    draw_planes(picture, wire.flits, out);
}

void picture_draw_queues(const Picture *p, FILE *out) {
    const Grids planes = {draw_queue_row, p->size[2], 2 * p->size[0] - 1, p->size[1],
                          "plane z="};
    uint64_t most = 0;
    for (unsigned rank = 0; rank < p->nodes; rank++)
        if (p->node[rank].queue_max > most)
            most = p->node[rank].queue_max;
    draw_figures(p, out);
    fprintf(out,
            "\nThe longest queue of each node, priority 0, in ninths of %" PRIu64
            " words:  .:-=+*#%%@\nPlanes, x to the right and y up.\n\n",
            most);
    draw_grids(p, &planes, most, out);
}
