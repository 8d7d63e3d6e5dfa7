/* Texts for nodes, places, words, source lines and channels, and back. */
#include <string.h>

#include "asm/objects/object.h"
#include "emu/debug/talk/names.h"
#include "emu/machine/link/interface.h"

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

JmDebugPlace jm_debug_place(const JmDebug *d, uint32_t address, bool low) {
    JmDebugPlace place = {.address = address, .low = low};
    if (!jm_instruction_line(d->machine, address, low, &place.file, &place.line))
        place.file = NULL;
    return place;
}

JmDebugPlace next_of(const JmDebug *d, unsigned node) {
    const uint32_t ip = jm_data(node_at(d, node)->current->ip);
    return jm_debug_place(d, address_of_ip(d, node), (ip & JM_IP_PHASE) != 0);
}

bool same_place(JmDebugPlace a, JmDebugPlace b) {
    return a.address == b.address && a.low == b.low;
}

bool same_line(JmDebugPlace a, JmDebugPlace b) {
    if (!a.file || !b.file)
        return !a.file == !b.file;
    return a.line == b.line && strcmp(a.file, b.file) == 0;
}

void look_anew(JmDebug *d) {
    d->next_address = UINT32_MAX;
    d->next_line = (JmDebugPlace){.file = NULL};
}

/* ---- as text --------------------------------------------------------------------- */

/* Returns the next of the buffers, of LONG_TEXT characters. */
static char *next_text(const JmDebug *d) {
    Texts *texts = d->texts;
    return texts->text[texts->next++ % TEXTS];
}

const char *node_text(const JmDebug *d, unsigned node) {
    char *text = next_text(d);
    snprintf(text, LONG_TEXT, "node %u (%s)", node, position_text(d, node));
    return text;
}

const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *file_text(const JmDebug *d, const char *path) {
    return jm_printable(file_name(path), next_text(d), LONG_TEXT);
}

static const char *instruction_text(const JmDebug *d, JmDebugPlace place, bool line) {
    char *text = next_text(d), symbol[128], source[160] = "", name[121];
    const char *file;
    int number;
    jm_symbol_at(d->machine, place.address, symbol, sizeof symbol);
    if (line &&
        jm_instruction_line(d->machine, place.address, place.low, &file, &number))
        snprintf(source, sizeof source, " (%s:%d)",
                 jm_printable(file_name(file), name, sizeof name), number);
    snprintf(text, LONG_TEXT, "%05" PRIX32 "%s%s%s", place.address, *symbol ? " " : "",
             symbol, source);
    return text;
}

const char *place_text(const JmDebug *d, uint32_t address, bool line) {
    return instruction_text(d, (JmDebugPlace){.address = address}, line);
}

const char *code_text(const JmDebug *d, JmWord word, bool low) {
    char *text = next_text(d);
    jm_disassemble(jm_instruction(word, low), text, CODE_TEXT);
    return text;
}

const char *bits_text(const JmDebug *d, JmWord word) {
    char *text = next_text(d);
    jm_word_print(word, text, CODE_TEXT);
    return text;
}

/* Appends to a word its meaning by its tag, with the symbol of an address in it. */
const char *word_text(const JmDebug *d, JmWord word) {
    const char *bits = bits_text(d, word);
    char *text = next_text(d), symbol[128];
    const uint32_t data = jm_data(word);
    jm_symbol_at(d->machine, jm_field20(data), symbol, sizeof symbol);
    if (jm_same(word, JM_NIL))
        snprintf(text, LONG_TEXT, "NIL");
    else if (jm_tag(word) == JM_TAG_INT)
        snprintf(text, LONG_TEXT, "%s  %" PRId32, bits, (int32_t)data);
    else if (jm_tag(word) == JM_TAG_BOOL)
        snprintf(text, LONG_TEXT, "%s  %s", bits, data & 1 ? "true" : "false");
    else if (jm_tag(word) == JM_TAG_MSG)
        snprintf(text, LONG_TEXT, "%s  %s, %" PRIu32 " word%s", bits,
                 *symbol ? symbol : "no symbol", jm_field10(data),
                 plural(jm_field10(data)));
    else if (jm_tag(word) == JM_TAG_ADDR)
        snprintf(text, LONG_TEXT, "%s  %05" PRIX32 " length %" PRIu32 "%s", bits,
                 jm_field20(data), jm_field10(data),
                 data & JM_ADDR_INVALID ? " invalid" : "");
    else if (jm_tag(word) == JM_TAG_IP)
        snprintf(text, LONG_TEXT, "%s  %s%05" PRIX32 "%s%s%s%s%s", bits,
                 data & JM_IP_ABSOLUTE ? "" : "A0+", jm_field20(data),
                 *symbol && data & JM_IP_ABSOLUTE ? " " : "",
                 data & JM_IP_ABSOLUTE ? symbol : "", data & JM_IP_PHASE ? " low" : "",
                 data & JM_IP_UNCHECKED ? " U" : "", data & JM_IP_FAULT ? " F" : "");
    else
        snprintf(text, LONG_TEXT, "%s", bits);
    return text;
}

/* ---- what nodes do --------------------------------------------------------------- */

static const struct {
    char letter;
    const char *text;
} activities[] = {[ACTIVITY_STOPPED] = {'X', "stopped"},
                  [ACTIVITY_NOT_STARTED] = {'-', "not started"},
                  [ACTIVITY_IDLE] = {'.', "idle"},
                  [ACTIVITY_FAULT] = {'!', "in fault mode"},
                  [ACTIVITY_WAITING] = {'w', "waiting to send"},
                  [ACTIVITY_SENDING] = {'s', "sending"},
                  [ACTIVITY_BACKGROUND] = {'b', "in background"},
                  [ACTIVITY_TASK_0] = {'0', "task of priority 0"},
                  [ACTIVITY_TASK_1] = {'1', "task of priority 1"}};

/* Several may hold at once; the most informative come first: a node that waits for room
 * in fault mode waits to send. */
Activity activity_of(const JmDebug *d, unsigned node) {
    const Node *n = node_at(d, node);
    if (n->stop.why == NODE_NOT_STARTED)
        return ACTIVITY_NOT_STARTED;
    if (!n->runs)
        return ACTIVITY_STOPPED;
    if (n->asleep)
        return ACTIVITY_IDLE;
    if (n->send_wait >> n->running & 1)
        return ACTIVITY_WAITING;
    if (jm_data(n->current->ip) & JM_IP_FAULT)
        return ACTIVITY_FAULT;
    if (n->send_open)
        return ACTIVITY_SENDING;
    return n->background ? ACTIVITY_BACKGROUND
           : n->p        ? ACTIVITY_TASK_1
                         : ACTIVITY_TASK_0;
}

const char *activity_text(Activity activity) {
    return activities[activity].text;
}

char activity_letter(Activity activity) {
    return activities[activity].letter;
}

const char *gate_text(const JmDebug *d, unsigned rank, unsigned priority,
                      const char *otherwise) {
    const Node *node = node_at(d, rank);
    if (node->priority[priority].gate)
        return NULL;
    if (priority == 0 && node->shut & NODE_SHUT_BY_BRAKE)
        return "shut by the brake";
    if (priority == 0 && node->shut & ~NODE_SHUT_BY_BRAKE)
        return d->machine->unit->shut;
    return otherwise;
}

void say_next(JmDebug *d, unsigned node) {
    const JmDebugPlace next = next_of(d, node);
    const JmWord word = jm_read(d->machine, node, next.address);
    say(d, "%s %s: %s%s  %s\n", node_text(d, node), activity_text(activity_of(d, node)),
        instruction_text(d, next, true), next.low ? " low" : "",
        jm_is_instruction(word) ? code_text(d, word, next.low) : bits_text(d, word));
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

void places_add(const JmDebug *d, Places *places, JmDebugPlace place) {
    for (size_t i = 0; i < places->count; i++)
        if (same_place(places->list[i], place))
            return;
    places->list = heap_grow(d->work, places->list, places->count, &places->capacity,
                             sizeof *places->list);
    places->list[places->count++] = place;
}

bool line_places(const JmDebug *d, const char *file, size_t length, int line,
                 Places *places) {
    const AsmObject *image = program_image(d->machine);
    for (int i = 0; image && i < image->line_count; i++) {
        const AsmObjectLine *row = &image->lines[i];
        const uint32_t address =
            (uint32_t)image->sections[row->section].address + row->offset;
        if (row->line == line && !row->goes_on && is_of_file(image, row, file, length))
            places_add(d, places, jm_debug_place(d, address, row->low));
    }
    return places->count > 0;
}

bool symbol_places(const JmDebug *d, const char *name, Places *places) {
    const unsigned count = jm_symbol_places(d->machine, name, NULL, 0);
    JmSymbolPlace *found = heap_alloc(d->work, (count + 1) * sizeof *found);
    jm_symbol_places(d->machine, name, found, count);
    for (unsigned i = 0; i < count; i++)
        if (found[i].value <= JM_ADDRESS_MASK)
            places_add(d, places, jm_debug_place(d, found[i].value, false));
    return places->count > 0;
}

void places_text(const JmDebug *d, const JmDebugPlace *places, size_t count,
                 Text *text) {
    for (size_t i = 0; i < count; i++)
        text_add(text, "%s%s%s", i ? ", " : "", instruction_text(d, places[i], true),
                 places[i].low ? " low" : "");
}

/* ---- lines ----------------------------------------------------------------------- */

static void lines_around(const JmDebug *d, const char *file, size_t length, int line,
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

const char *lines_near_text(const JmDebug *d, const char *file, size_t length,
                            int line) {
    char *text = next_text(d);
    int below, above;
    lines_around(d, file, length, line, &below, &above);
    *text = '\0';
    if (below && above)
        snprintf(text, LONG_TEXT, "; lines %d and %d have some", below, above);
    else if (below || above)
        snprintf(text, LONG_TEXT, "; line %d has some", below + above);
    return text;
}

/* ---- channels -------------------------------------------------------------------- */

const char *position_text(const JmDebug *d, unsigned node) {
    char *text = next_text(d);
    unsigned x, y, z;
    jm_node_position(d->machine, node, &x, &y, &z);
    snprintf(text, LONG_TEXT, "%u,%u,%u", x, y, z);
    return text;
}

const char *channel_text(const JmDebug *d, const NetChannelState *c) {
    char *text = next_text(d);
    snprintf(text, LONG_TEXT, "%s p%u %c%c", position_text(d, c->node), c->priority,
             "+-R"[c->kind], "XYZ"[c->dimension]);
    return text;
}

const char *channel_name(const JmDebug *d, int32_t channel) {
    const Net *net = netif_network(d->machine);
    const NetChannelState c = net_channel_state(net, (uint32_t)channel);
    return channel_text(d, &c);
}

void path_add(const JmDebug *d, Text *path, unsigned *node, uint32_t channel) {
    const NetChannelState c = net_channel_state(netif_network(d->machine), channel);
    if (!path->length || *node != c.node)
        text_add(path, "%s%s", path->length ? "; " : "", position_text(d, c.node));
    *node = c.node;
    text_add(path, " %c%c", "+-R"[c.kind], "XYZ"[c.dimension]);
}

NetChannelKind first_kind(const JmDebug *d, unsigned source, unsigned destination) {
    unsigned from, to, y, z;
    jm_node_position(d->machine, source, &from, &y, &z);
    jm_node_position(d->machine, destination, &to, &y, &z);
    return to > from ? NET_CHANNEL_P : to < from ? NET_CHANNEL_N : NET_CHANNEL_R;
}

uint32_t first_channel(const JmDebug *d, unsigned source, unsigned destination,
                       unsigned priority) {
    const Net *net = netif_network(d->machine);
    const NetChannelKind kind = first_kind(d, source, destination);
    uint32_t i = 0;
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
