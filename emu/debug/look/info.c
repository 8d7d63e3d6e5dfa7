/* Statistics, and the lists of `info`. */
#include <string.h>

#include "asm/objects/object.h"
#include "emu/debug/past/past.h"
#include "emu/debug/talk/names.h"

/* ---- statistics ------------------------------------------------------------------ */

/* Prints the cycles of each class, also as shares of `all`. */
static void say_classes(JmDebug *d, const uint64_t cycles[JM_CLASS_COUNT],
                        uint64_t all) {
    for (unsigned i = 0; i < JM_CLASS_COUNT; i++) {
        if (!cycles[i])
            continue;
        say(d, "  %-16s %14" PRIu64 " cycles  %5.1f %%\n", jm_class_key(i), cycles[i],
            all ? 100.0 * (double)cycles[i] / (double)all : 0.0);
    }
}

/* Prints the counters that a node and the sum of all nodes share. */
static void say_counts(JmDebug *d, const JmNodeStatistics *s) {
    say(d, "  instructions %" PRIu64 "\n", s->instructions);
    for (unsigned p = 0; p < 2; p++)
        say(d,
            "  priority %u: %" PRIu64 " in, %" PRIu64 " out, %" PRIu64
            " dispatched; queue up to %" PRIu32 " words, %" PRIu64 " overflow%s\n",
            p, s->messages_in[p], s->messages_out[p], s->dispatches[p],
            s->queue_max_words[p], s->overflows[p], plural(s->overflows[p]));
}

/* Prints sums over all nodes; cycles are shares of those of all nodes together. */
static void say_machine_statistics(JmDebug *d) {
    const JmNodeStatistics sum = jm_statistics(d->machine);
    JmNetworkStatistics n;
    jm_network_statistics(d->machine, &n);
    say(d, "cycle %" PRIu64 ", %u nodes\n", d->machine->now, d->machine->nodes);
    say_counts(d, &sum);
    say_classes(d, sum.cycles, d->machine->now * d->machine->nodes);
    say(d,
        "  network: %" PRIu64 " of %" PRIu64 " messages delivered; wires busy X %.1f "
        "Y %.1f Z %.1f %%\n",
        n.messages_delivered[0] + n.messages_delivered[1],
        n.messages_opened[0] + n.messages_opened[1], 100 * n.wire_utilisation[0],
        100 * n.wire_utilisation[1], 100 * n.wire_utilisation[2]);
    if (n.latency.count)
        say(d,
            "  latency: mean %.1f, median %" PRIu64 ", 99 %% below %" PRIu64
            ", at most %" PRIu64 " cycles\n",
            n.latency.mean, n.latency.p50, n.latency.p99, n.latency.max);
}

static void say_node_statistics(JmDebug *d, unsigned node) {
    JmNodeStatistics s;
    jm_node_statistics(d->machine, node, &s);
    say(d, "%s\n", node_text(d, node));
    say_counts(d, &s);
    say_classes(d, s.cycles, d->machine->now);
}

bool cmd_statistics(JmDebug *d, Args *args) {
    if (!at_end(args))
        return for_nodes(args, say_node_statistics, NULL);
    say_machine_statistics(d);
    return true;
}

/* ---- info ------------------------------------------------------------------------ */

/* Prints every stop as its command would set it, its hits, and its own commands
 * below. */
void info_stops(JmDebug *d) {
    if (!d->stops->count)
        say(d, "no stops\n");
    for (size_t i = 0; i < d->stops->count; i++) {
        const Stop *s = &d->stops->list[i];
        say(d, "%3u %s %s%s%s, %" PRIu64 " hits", s->id, s->enabled ? "on " : "off",
            s->text, s->condition ? " if " : "", s->condition ? s->condition : "",
            s->hits);
        if (s->ignore)
            say(d, ", %" PRIu64 " to let pass", s->ignore);
        say(d, s->temporary ? ", once\n" : "\n");
        for (size_t k = 0; k < s->command_count; k++)
            say(d, "        %s\n", s->commands[k]);
    }
}

/* Whether an earlier entry of the table of files has this name: several objects may
 * come from one file. */
static bool is_named_before(const AsmObject *image, int file) {
    for (int i = 0; i < file; i++)
        if (strcmp(file_name(image->files[i]), file_name(image->files[file])) == 0)
            return true;
    return false;
}

/* Prints the sections, then the source files, wrapped to the terminal. */
void info_program(JmDebug *d) {
    const AsmObject *image = program_image(d->machine);
    if (!image) {
        say(d, "the program is no ELF image: it has no symbols\n");
        return;
    }
    for (int i = 0; i < image->section_count; i++) {
        const AsmObjectSection *s = &image->sections[i];
        say(d, "  %-20s %05" PRIX32 " %6" PRIu32 " words%s\n", file_text(d, s->name),
            (uint32_t)s->address, s->size, s->code ? ", code" : "");
    }
    size_t column = d->host.columns;
    for (int i = 0; i < image->file_count; i++) {
        const char *name = file_text(d, image->files[i]);
        if (is_named_before(image, i))
            continue;
        if (column + strlen(name) + 1 >= d->host.columns) {
            say(d, i ? "\n      " : "  from");
            column = strlen("  from");
        }
        say(d, " %s", name);
        column += strlen(name) + 1;
    }
    say(d, "\n");
}

void info_machine(JmDebug *d) {
    const JmConfig *c = &d->machine->config;
    say(d, "%ux%ux%u nodes, seed %" PRIu64 ", cycle %" PRIu64 ", %s\n", c->size_x,
        c->size_y, c->size_z, c->seed, d->machine->now,
        d->machine->stop ? jm_stop_name(d->machine->stop) : "can continue");
}

/* Prints how often each fault was taken on all nodes, and its vector on the selected
 * one. */
void info_faults(JmDebug *d) {
    const JmNodeStatistics sum = jm_statistics(d->machine);
    for (unsigned f = 0; f < JM_FAULT_COUNT; f++) {
        const JmWord word = jm_read(d->machine, d->node, NODE_VECTORS + f);
        say(d, "  %-12s %8" PRIu64 " taken  vector %s\n", jm_fault_name(f),
            sum.faults[f], word_text(d, word));
    }
}

bool info_parameters(JmDebug *d, Args *args) {
    enum { TEXT_COLUMN = 33 };
    char part[64];
    next_word(args, part, sizeof part);
    if (!expect_end(args))
        return false;
    for (unsigned i = 0; jm_parameter(i); i++) {
        if (!strstr(jm_parameter(i)->name, part))
            continue;
        say(d, "  %-20s %8" PRIu64 "  ", jm_parameter(i)->name,
            jm_config_get(&d->machine->config, i));
        say_wrapped(d, jm_parameter(i)->text, TEXT_COLUMN, TEXT_COLUMN);
    }
    return true;
}

/* Whether an address is one of those that a base and a mask give, as in QBM and TBM. */
static bool is_masked(uint32_t data, uint32_t address) {
    return jm_field10(data) &&
           (jm_field20(data) | (address & jm_field10(data))) == address;
}

/* Returns what memory of a node an address is in. */
static const char *memory_text(const Node *node, uint32_t address) {
    static const char *const queues[] = {"queue 0", "queue 1"};
    for (unsigned p = 0; p < 2; p++)
        if (is_masked(node->priority[p].qbm, address))
            return queues[p];
    if (is_masked(node->tbm, address))
        return "translation table";
    if (address >= NODE_HOST_PAGE)
        return "host page";
    if (address >= MEMORY_EXTERNAL)
        return "external memory";
    return memory_is_rom(address) ? "ROM" : "memory on chip";
}

/* Returns the name of the section that holds an address; NULL: none does. */
static const char *section_name(const JmDebug *d, uint32_t address) {
    const AsmObject *image = program_image(d->machine);
    for (int i = 0; image && i < image->section_count; i++) {
        const AsmObjectSection *s = &image->sections[i];
        if (s->address >= 0 && address - (uint32_t)s->address < s->size)
            return file_text(d, s->name);
    }
    return NULL;
}

bool info_symbol(JmDebug *d, Args *args) {
    uint32_t address;
    if (!take_address(args, &address) || !expect_end(args))
        return false;
    const char *section = section_name(d, address);
    say(d, "%s: %s%s, %s\n", place_text(d, address, true), section ? "section " : "",
        section ? section : "no section", memory_text(node_at(d, d->node), address));
    return true;
}

void info_time(JmDebug *d) {
    const Travel *t = &d->past->travel;
    say(d, "cycle %" PRIu64 ", furthest %" PRIu64 ", %zu changes made by hand\n",
        d->machine->now, t->furthest, t->change_count);
    if (t->off)
        say(d, "time travel is off\n");
    else
        say(d, "%zu moments remembered, with %zu KB of at most %zu MB\n", t->count,
            t->bytes >> 10, t->limit_bytes >> 20);
}

void info_variables(JmDebug *d) {
    for (size_t i = 0; i < d->values->variable_count; i++) {
        const Variable *v = &d->values->variables[i];
        say(d, "$%s = ", v->name);
        say_value(d, &d->out, &v->value, FORMAT_WORD);
        say(d, "\n");
    }
}
