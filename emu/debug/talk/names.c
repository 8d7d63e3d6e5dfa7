/* Texts for nodes, places, words, source lines and channels, and back. */
#include <string.h>

#include "asm/objects/object.h"
#include "emu/debug/talk/names.h"

const Node *node_at(const JmDebug *d, unsigned node) {
    return &d->machine->node[node];
}

JmContext context_of(const JmDebug *d, unsigned node) {
    return d->context >= 0 ? (JmContext)d->context : jm_running(d->machine, node);
}

uint32_t address_of_ip(const JmDebug *d, unsigned node) {
    const Node *n = node_at(d, node);
    const uint32_t ip = jm_data(n->current->ip);
    return node_code_address(n, ip, jm_field20(ip));
}

SourceLine line_of_next(const JmDebug *d, unsigned node) {
    SourceLine next = {NULL, 0};
    const bool low = jm_data(node_at(d, node)->current->ip) & JM_IP_PHASE;
    if (!jm_instruction_line(d->machine, address_of_ip(d, node), low, &next.file,
                             &next.line))
        next.file = NULL;
    return next;
}

bool same_line(SourceLine a, SourceLine b) {
    if (!a.file || !b.file)
        return !a.file == !b.file;
    return a.line == b.line && strcmp(a.file, b.file) == 0;
}

void look_anew(JmDebug *d) {
    d->next_address = UINT32_MAX;
    d->next_line = (SourceLine){NULL, 0};
}

/* ---- as text --------------------------------------------------------------------- */

const char *node_text(const JmDebug *d, unsigned node, char *buffer, size_t size) {
    unsigned x, y, z;
    jm_node_position(d->machine, node, &x, &y, &z);
    snprintf(buffer, size, "node %u (%u,%u,%u)", node, x, y, z);
    return buffer;
}

const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The same for an instruction, which may be in the low half of its word. */
static const char *instruction_text(const JmDebug *d, uint32_t address, bool low,
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

const char *place_text(const JmDebug *d, uint32_t address, bool line, char *buffer,
                       size_t size) {
    return instruction_text(d, address, false, line, buffer, size);
}

/* Appends to a word its meaning by its tag, with the symbol of an address in it. */
const char *word_text(const JmDebug *d, JmWord word, char *buffer, size_t size) {
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

/* Several may hold at once; the most informative come first: a node that waits for room
 * in fault mode waits to send. */
const char *activity_of(const JmDebug *d, unsigned node, char *letter) {
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

const char *gate_text(const Node *node, unsigned priority) {
    if (node->priority[priority].gate)
        return "";
    if (priority == 0 && node->shut & NODE_SHUT_BY_BRAKE)
        return ", its input is shut by the brake";
    if (priority == 0 && node->shut & NODE_SHUT_BY_SPILL)
        return ", its input is shut while a row is spilled";
    if (priority == 0 && node->shut & NODE_SHUT_BY_RTS)
        return ", its input is shut while a message waits to be returned";
    return ", its input is closed";
}

void say_next(JmDebug *d, unsigned node) {
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

/* ---- source lines ---------------------------------------------------------------- */

bool is_source_file(const JmDebug *d, const char *file, size_t length) {
    const AsmObject *image = program_image(d->machine);
    for (int i = 0; image && i < image->file_count; i++)
        if (asm_object_is_file(image->files[i], file, length))
            return true;
    return false;
}

unsigned source_files(const JmDebug *d, const char *file, size_t length,
                      const char **found, char *names, size_t size) {
    const AsmObject *image = program_image(d->machine);
    unsigned count = 0;
    size_t used = 0;
    for (int i = 0; image && i < image->file_count; i++) {
        const char *name = image->files[i];
        if (!asm_object_is_file(name, file, length) ||
            (count && strcmp(name, *found) == 0))
            continue;
        *found = count ? *found : name;
        if (used < size)
            used += (size_t)snprintf(names + used, size - used, "%s%s",
                                     count ? ", " : "", name);
        count++;
    }
    return count;
}

static bool is_of_file(const AsmObject *image, const AsmObjectLine *row,
                       const char *file, size_t length) {
    return row->file >= 0 && row->file < image->file_count &&
           asm_object_is_file(image->files[row->file], file, length);
}

/* ---- places of code -------------------------------------------------------------- */

void places_add(const JmDebug *d, Places *places, CodePlace place) {
    for (size_t i = 0; i < places->count; i++)
        if (places->list[i].address == place.address &&
            places->list[i].low == place.low)
            return;
    places->heap = d->heap;
    places->list = heap_grow(d->heap, places->list, places->count, &places->capacity,
                             sizeof *places->list);
    places->list[places->count++] = place;
}

void places_free(Places *places) {
    if (places->list)
        heap_free(places->list);
    *places = (Places){.count = 0};
}

bool line_places(const JmDebug *d, const char *file, size_t length, int line,
                 Places *places) {
    const AsmObject *image = program_image(d->machine);
    for (int i = 0; image && i < image->line_count; i++) {
        const AsmObjectLine *row = &image->lines[i];
        if (row->line == line && !row->goes_on && is_of_file(image, row, file, length))
            places_add(d, places,
                       (CodePlace){(uint32_t)image->sections[row->section].address +
                                       row->offset,
                                   row->low});
    }
    return places->count > 0;
}

bool symbol_places(const JmDebug *d, const char *name, Places *places) {
    const unsigned count = jm_symbol_places(d->machine, name, NULL, 0);
    JmSymbolPlace *found = heap_alloc(d->heap, (count + 1) * sizeof *found);
    jm_symbol_places(d->machine, name, found, count);
    for (unsigned i = 0; i < count; i++)
        if (found[i].value <= JM_ADDRESS_MASK)
            places_add(d, places, (CodePlace){found[i].value, false});
    heap_free(found);
    return places->count > 0;
}

void places_text(const JmDebug *d, const CodePlace *places, size_t count, Text *text) {
    char place[LONG_TEXT];
    for (size_t i = 0; i < count; i++)
        text_add(text, "%s%s%s", i ? ", " : "",
                 instruction_text(d, places[i].address, places[i].low, true, place,
                                  sizeof place),
                 places[i].low ? " low" : "");
}

/* ---- lines ----------------------------------------------------------------------- */

void lines_around(const JmDebug *d, const char *file, size_t length, int line,
                  int *below, int *above) {
    const AsmObject *image = program_image(d->machine);
    *below = *above = 0;
    for (int i = 0; image && i < image->line_count; i++) {
        const AsmObjectLine *row = &image->lines[i];
        if (row->line <= 0 || row->goes_on || !is_of_file(image, row, file, length))
            continue;
        if (row->line < line && row->line > *below)
            *below = row->line;
        if (row->line > line && (*above == 0 || row->line < *above))
            *above = row->line;
    }
}

/* ---- channels -------------------------------------------------------------------- */

const char *position_text(const JmDebug *d, unsigned node, char text[SHORT_TEXT]) {
    unsigned x, y, z;
    jm_node_position(d->machine, node, &x, &y, &z);
    snprintf(text, SHORT_TEXT, "%u,%u,%u", x, y, z);
    return text;
}

const char *channel_text(const JmDebug *d, const NetChannelState *c,
                         char text[SHORT_TEXT]) {
    char node[SHORT_TEXT];
    snprintf(text, SHORT_TEXT, "%.40s p%u %c%c", position_text(d, c->node, node),
             c->priority, "+-R"[c->kind], "XYZ"[c->dimension]);
    return text;
}

const char *channel_name(const JmDebug *d, int32_t channel, char text[SHORT_TEXT]) {
    const Net *net = netif_network(d->machine);
    const NetChannelState c = net_channel_state(net, (uint32_t)channel);
    return channel_text(d, &c, text);
}

void path_add(const JmDebug *d, Text *path, unsigned *node, uint32_t channel) {
    const NetChannelState c = net_channel_state(netif_network(d->machine), channel);
    char place[SHORT_TEXT];
    if (!path->length || *node != c.node)
        text_add(path, "%s%s", path->length ? "; " : "",
                 position_text(d, c.node, place));
    *node = c.node;
    text_add(path, " %c%c", "+-R"[c.kind], "XYZ"[c.dimension]);
}

uint32_t first_channel(const JmDebug *d, unsigned source, unsigned destination,
                       unsigned priority) {
    const Net *net = netif_network(d->machine);
    unsigned from, to, y, z;
    uint32_t i = 0;
    jm_node_position(d->machine, source, &from, &y, &z);
    jm_node_position(d->machine, destination, &to, &y, &z);
    const NetChannelKind kind = to > from   ? NET_CHANNEL_P
                                : to < from ? NET_CHANNEL_N
                                            : NET_CHANNEL_R;
    for (; i + 1 < net_channel_count(net); i++) {
        const NetChannelState c = net_channel_state(net, i);
        if (c.node == source && c.priority == priority && c.dimension == 0 &&
            c.kind == kind)
            break;
    }
    return i;
}

bool message_flies(const Net *net, uint32_t number, NetMessageState *state) {
    return net_message_state(net, number, state) &&
           (!state->closed || state->words_delivered < state->words_offered);
}
