/* Commands that define stops (breakpoints, watchpoints, catchpoints) and that change
 * them. */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "emu/debug/stops/stops.h"
#include "emu/debug/talk/names.h"
#include "emu/debug/values/compiled.h"

/* ---- the list -------------------------------------------------------------------- */

static void stop_free(Stop *stop) {
    for (size_t i = 0; i < stop->command_count; i++)
        heap_free(stop->commands[i]);
    heap_free(stop->commands);
    heap_free(stop->text);
    heap_free(stop->place);
    heap_free(stop->condition);
    heap_free(stop->expression);
    compiled_free(&stop->judges);
    compiled_free(&stop->looks);
    heap_free(stop->nodes.bits);
    heap_free(stop->at.list);
}

void stop_delete(JmDebug *d, Stop *stop) {
    const size_t index = (size_t)(stop - d->stops->list);
    stop_free(stop);
    d->stops->count--;
    memmove(stop, stop + 1, (d->stops->count - index) * sizeof *stop);
}

Stops *stops_new(Heap *heap, const JmMachine *machine) {
    Stops *stops = heap_alloc(heap, sizeof *stops);
    const size_t words = machine->nodes / 64 + 1;
    stops->asked = UINT64_MAX;
    stops->hit_capacity = HITS_MAX;
    stops->hits = heap_alloc(heap, HITS_MAX * sizeof *stops->hits);
    stops->minding = heap_alloc(heap, words * sizeof *stops->minding);
    stops->spied = heap_alloc(heap, words * sizeof *stops->spied);
    stops->lockstep = heap_alloc(heap, words * sizeof *stops->lockstep);
    for (unsigned low = 0; low < 2; low++)
        stops->code_marks[low] =
            heap_alloc(heap, NODE_MARKS * sizeof *stops->code_marks[low]);
    stops->data_marks = heap_alloc(heap, NODE_MARKS * sizeof *stops->data_marks);
    return stops;
}

static char *kept(Heap *heap, const char *text) {
    return text ? text_copy_all(heap, text) : NULL;
}

/* Appends a stop to the list, with copies of what it refers to. */
static void append(Stops *stops, Heap *heap, Stop stop) {
    stop.enabled = true;
    stop.nodes.bits = heap_copy(heap, stop.nodes.bits, nodeset_bytes(&stop.nodes));
    stop.at.list = heap_copy(heap, stop.at.list, stop.at.count * sizeof *stop.at.list);
    stop.text = kept(heap, stop.text);
    stop.place = kept(heap, stop.place);
    stop.condition = kept(heap, stop.condition);
    stop.expression = kept(heap, stop.expression);
    stops->list =
        heap_grow(heap, stops->list, stops->count, &stops->capacity, sizeof stop);
    stops->list[stops->count++] = stop;
}

void stop_add_own(JmDebug *d, Stop stop) {
    stop.temporary = true;
    append(d->stops, d->heap, stop);
}

/* Adds a stop of the user, and prints it. */
static void add_stop(JmDebug *d, Stop stop) {
    stop.id = d->stops->last_id = ++d->stops->next_id;
    append(d->stops, d->heap, stop);
    set_variable(d, "bpnum", value_of_number(stop.id));
    say(d, "stop %u: %s%s%s", stop.id, stop.text, stop.condition ? " if " : "",
        stop.condition ? stop.condition : "");
    if (stop.ignore)
        say(d, " after %" PRIu64, stop.ignore);
    say(d, "\n");
}

/* Appends a blank and the text [start, end), without the blanks around it. */
static void add_words(Text *text, const char *start, const char *end) {
    while (start < end && isspace((unsigned char)*start))
        start++;
    while (start < end && isspace((unsigned char)end[-1]))
        end--;
    text_add(text, " %.*s", (int)(end - start), start);
}

/* Whether conditions of a stop may use the previous value. */
static bool has_old(const Stop *stop) {
    return stop->kind == STOP_WATCH || stop->kind == STOP_VALUE;
}

/* Takes "[on NODES] [if CONDITION] [after COUNT]" up to the end of the line. The words
 * about nodes are also added to `text`, as in "on 0-3". */
static bool take_clauses(Args *args, Stop *stop, Text *text) {
    while (!at_end(args)) {
        const char *at = args->at;
        const int clause = take_choice(args, "on if after");
        int64_t count;
        if (clause == 0) {
            if (stop->kind == STOP_VALUE)
                return fail_at(
                    args, at,
                    "only addresses have nodes; a value names its own: $r0@3");
            if (!take_nodes(args, &stop->nodes))
                return false;
            add_words(text, at, args->at);
        } else if (clause == 1) {
            stop->condition = NULL;
            if (!check_expression(args, has_old(stop), &stop->condition,
                                  &stop->foreign))
                return false;
        } else if (clause == 2) {
            if (!take_number(args, "the count", 0, INT64_MAX, &count))
                return false;
            stop->ignore = (uint64_t)count;
        } else {
            return false;
        }
    }
    return true;
}

/* Takes the clauses of a stop whose words began at `start`, and adds it. */
static bool finish(Args *args, Stop *stop, const char *what, const char *start) {
    Text text = {.heap = args->d->work};
    text_add(&text, "%s", what);
    add_words(&text, start, args->at);
    if (!take_clauses(args, stop, &text))
        return false;
    stop->text = text.bytes;
    add_stop(args->d, *stop);
    return true;
}

static Stop new_stop(const JmDebug *d, StopKind kind) {
    return (Stop){.kind = kind, .nodes = {NULL, d->machine->nodes}};
}

/* Keeps an address as it was given from `start` on, unless registers, variables or
 * memory are in it. */
static char *kept_place(const Args *args, const char *start) {
    Text text = {.heap = args->d->work};
    add_words(&text, start, args->at);
    return strpbrk(text.bytes, "$[(") ? NULL : text.bytes;
}

/* ---- breakpoints ----------------------------------------------------------------- */

/* Whether some node that the stop is for has a word there. It need not be an
 * instruction, because code may hold constants. */
static bool has_code(const JmDebug *d, const Stop *stop, uint32_t address) {
    for (unsigned i = 0; i < d->machine->nodes; i++)
        if (nodeset_has(&stop->nodes, i) &&
            !jm_same(jm_read(d->machine, i, address), JM_NIL))
            return true;
    return false;
}

/* Takes "[on NODES] ..." behind the places of a breakpoint, and keeps those that have
 * code. `at`: where the places stand. */
static bool take_break(Args *args, const char *at, Stop *stop, Text *clauses) {
    if (!take_clauses(args, stop, clauses))
        return false;
    const uint32_t first = stop->at.list[0].address;
    size_t kept = 0;
    for (size_t i = 0; i < stop->at.count; i++)
        if (has_code(args->d, stop, stop->at.list[i].address))
            stop->at.list[kept++] = stop->at.list[i];
    stop->at.count = kept;
    return kept || fail_at(args, at, "there is no code at %05" PRIX32, first);
}

/* Adds a breakpoint at stop->at. `at`: where its places stand. */
static bool finish_break(Args *args, const char *at, Stop *stop) {
    Text clauses = {.heap = args->d->work}, text = {.heap = args->d->work};
    if (!take_break(args, at, stop, &clauses))
        return false;
    text_add(&text, "break at ");
    places_text(args->d, stop->at.list, stop->at.count, &text);
    text_add(&text, "%s", text_get(&clauses));
    stop->text = text.bytes;
    add_stop(args->d, *stop);
    return true;
}

/* Skips the * that gdb wants before an address. */
static void skip_star(Args *args) {
    skip_blanks(args);
    args->at += *args->at == '*';
}

static bool define_break(JmDebug *d, Args *args, bool temporary) {
    Stop stop = new_stop(d, STOP_BREAK);
    skip_star(args);
    const char *at = next_at(args);
    stop.temporary = temporary;
    if (!take_places(args, &stop.at))
        return false;
    stop.place = kept_place(args, at);
    return finish_break(args, at, &stop);
}

bool stop_break_at(JmDebug *d, Places places, const char *clauses) {
    Stop stop = new_stop(d, STOP_BREAK);
    Args args = {d, clauses, clauses};
    stop.at = places;
    return finish_break(&args, clauses, &stop);
}

bool cmd_break(JmDebug *d, Args *args) {
    return define_break(d, args, false);
}

bool cmd_tbreak(JmDebug *d, Args *args) {
    return define_break(d, args, true);
}

/* ---- watchpoints ----------------------------------------------------------------- */

/* Defines a stop at a change of a register or of an expression in parentheses. */
static bool watch_value(JmDebug *d, Args *args) {
    Stop stop = new_stop(d, STOP_VALUE);
    const char *start = args->at;
    stop.to = d->node;
    if (!check_expression(args, false, &stop.expression, &stop.foreign))
        return false;
    if (!evaluate_quietly(d, stop.expression, d->node, NULL, &stop.last, stop.why))
        return fail_at(args, start, "this has no value now: %s", stop.why);
    return finish(args, &stop, "watch", start);
}

/* Defines a watchpoint: an address and, unless a clause follows, a count of words. */
static bool define_watch(JmDebug *d, Args *args, const char *what, bool reads,
                         bool writes) {
    skip_star(args);
    const char *start = next_at(args);
    if (!reads && (*start == '$' || *start == '('))
        return watch_value(d, args);
    Stop stop = new_stop(d, STOP_WATCH);
    int64_t words = 1;
    stop.reads = reads;
    stop.writes = writes;
    if (!take_address(args, &stop.address))
        return false;
    stop.place = kept_place(args, start);
    skip_blanks(args);
    const bool clause =
        strchr("oia", *args->at) != NULL; /* on, if, after; or the end */
    if (!clause && !take_number(args, "the count of words", 1,
                                JM_ADDRESS_MASK + 1 - (int64_t)stop.address, &words))
        return false;
    stop.words = (uint32_t)words;
    return finish(args, &stop, what, start);
}

bool cmd_watch(JmDebug *d, Args *args) {
    return define_watch(d, args, "watch", false, true);
}

bool cmd_rwatch(JmDebug *d, Args *args) {
    return define_watch(d, args, "rwatch", true, false);
}

bool cmd_awatch(JmDebug *d, Args *args) {
    return define_watch(d, args, "awatch", true, true);
}

/* ---- catchpoints ----------------------------------------------------------------- */

static bool is_clause(Args *args) {
    Args copy = *args;
    return at_end(&copy) || take_word(&copy, "on") || take_word(&copy, "if") ||
           take_word(&copy, "after");
}

/* Takes names up to a clause, with blanks or commas between them. */
static bool take_names(Args *args, Stop *stop,
                       bool (*take)(Args *args, Stop *stop, size_t length)) {
    while (!is_clause(args)) {
        const char *at = next_at(args);
        const size_t length = strcspn(at, " \t,");
        if (!take(args, stop, length))
            return false;
        args->at = at + length + (at[length] == ',');
    }
    return true;
}

static bool take_fault(Args *args, Stop *stop, size_t length) {
    const char *at = args->at;
    unsigned fault = 0;
    while (fault < JM_FAULT_COUNT && (strlen(jm_fault_name(fault)) != length ||
                                      strncmp(jm_fault_name(fault), at, length)))
        fault++;
    if (fault == JM_FAULT_COUNT)
        return fail_at(args, at, "no fault '%.*s'%s", (int)length, at,
                       nearest_text(args->d, at, length, jm_fault_name,
                                    "; `info faults` lists them"));
    stop->faults |= JM_FAULT_BIT(fault);
    return true;
}

/* Takes names of faults; none means all. */
static bool take_faults(Args *args, Stop *stop) {
    if (!take_names(args, stop, take_fault))
        return false;
    if (!stop->faults)
        stop->faults = UINT32_MAX;
    return true;
}

const char *op_name(unsigned index) {
    for (unsigned op = 0; op < JM_OP_COUNT; op++)
        if (jm_op_info(op)->name && index-- == 0)
            return jm_op_info(op)->name;
    return NULL;
}

static bool take_op(Args *args, Stop *stop, size_t length) {
    const int op = jm_op_by_name(args->at, length);
    if (op < 0)
        return fail_at(args, args->at, "no instruction '%.*s'%s", (int)length, args->at,
                       nearest_text(args->d, args->at, length, op_name, ""));
    stop->ops |= UINT64_C(1) << op;
    return true;
}

/* Takes mnemonics. This is not an event: it stops before the instruction, as a
 * breakpoint does. */
static bool take_ops(Args *args, Stop *stop) {
    stop->kind = STOP_BREAK;
    if (is_clause(args))
        return fail_at(args, args->at, "a mnemonic expected");
    return take_names(args, stop, take_op);
}

/* Takes the handler of a dispatch; none means any. */
static bool take_handler(Args *args, Stop *stop) {
    stop->any = is_clause(args);
    const char *start = next_at(args);
    if (stop->any)
        return true;
    if (!take_address(args, &stop->address))
        return false;
    stop->place = kept_place(args, start);
    return true;
}

/* Takes "to NODE"; without it any destination. */
static bool take_target(Args *args, Stop *stop) {
    stop->any = !take_word(args, "to");
    return stop->any || take_node(args, &stop->to);
}

static const struct {
    const char *name;
    JmEventKind kind;
    bool (*take)(Args *args, Stop *stop);
} events[] = {{"fault", JM_EVENT_FAULT, take_faults},
              {"op", JM_EVENT_INSTRUCTION, take_ops},
              {"dispatch", JM_EVENT_DISPATCH, take_handler},
              {"suspend", JM_EVENT_SUSPEND, NULL},
              {"send", JM_EVENT_SEND, take_target},
              {"arrive", JM_EVENT_ARRIVE, NULL},
              {"overflow", JM_EVENT_OVERFLOW, NULL},
              {"return", JM_EVENT_RETURN, NULL},
              {"spill", JM_EVENT_SPILL, NULL},
              {"brake", JM_EVENT_BRAKE, NULL}};
enum { EVENTS = sizeof events / sizeof *events };

bool cmd_catch(JmDebug *d, Args *args) {
    Stop stop = new_stop(d, STOP_CATCH);
    const char *start = next_at(args);
    Text words = {.heap = d->work};
    for (unsigned i = 0; i < EVENTS; i++)
        text_add(&words, "%s ", events[i].name);
    text_add(&words, "deadlock idle");
    const int event = take_choice(args, text_get(&words));
    stop.deadlock = event == EVENTS;
    stop.idle = event == EVENTS + 1;
    if (event < 0)
        return false;
    if (event < EVENTS) {
        stop.what = UINT32_C(1) << events[event].kind;
        if (events[event].take && !events[event].take(args, &stop))
            return false;
    }
    return finish(args, &stop, "catch", start);
}

/* ---- what is done to stops ------------------------------------------------------- */

static bool take_stop(Args *args, Stop **stop) {
    int64_t id;
    const char *at = next_at(args);
    if (!take_number(args, "a stop", 1, UINT32_MAX, &id))
        return false;
    *stop = stop_by_id(args->d, (unsigned)id);
    return *stop || fail_at(args, at, "there is no stop %" PRId64, id);
}

bool cmd_condition(JmDebug *d, Args *args) {
    Stop *stop;
    char *condition = NULL;
    bool foreign = false;
    if (!take_stop(args, &stop))
        return false;
    if (!at_end(args) && !check_expression(args, has_old(stop), &condition, &foreign))
        return false;
    if (!expect_end(args))
        return false;
    heap_free(stop->condition);
    stop->condition = kept(d->heap, condition);
    stop->foreign = foreign;
    return true;
}

bool cmd_ignore(JmDebug *d, Args *args) {
    Stop *stop;
    int64_t count;
    (void)d;
    if (!take_stop(args, &stop) ||
        !take_number(args, "the count", 0, INT64_MAX, &count) || !expect_end(args))
        return false;
    stop->ignore = (uint64_t)count;
    return true;
}

static bool able(JmDebug *d, Args *args, bool on) {
    Stop *one = NULL;
    if (!at_end(args) && (!take_stop(args, &one) || !expect_end(args)))
        return false;
    for (size_t i = 0; i < d->stops->count; i++)
        if (!one || one == &d->stops->list[i])
            d->stops->list[i].enabled = on;
    return true;
}

bool cmd_enable(JmDebug *d, Args *args) {
    return able(d, args, true);
}

bool cmd_disable(JmDebug *d, Args *args) {
    return able(d, args, false);
}

bool cmd_delete(JmDebug *d, Args *args) {
    Stop *one = NULL;
    if (!at_end(args) && (!take_stop(args, &one) || !expect_end(args)))
        return false;
    if (one)
        stop_delete(d, one);
    while (!one && d->stops->count)
        stop_delete(d, &d->stops->list[d->stops->count - 1]);
    return true;
}

bool cmd_commands(JmDebug *d, Args *args) {
    Stop *stop = stop_by_id(d, d->stops->last_id);
    if (!at_end(args) && (!take_stop(args, &stop) || !expect_end(args)))
        return false;
    if (!stop)
        return fail(d, "there is no stop to give commands to");
    for (size_t i = 0; i < stop->command_count; i++)
        heap_free(stop->commands[i]);
    stop->command_count = 0;
    d->stops->collecting = stop;
    return true;
}

/* ---- as commands ----------------------------------------------------------------- */

/* Appends nodes as take_nodes() takes them: a range of ranks, or a box, whose corners
 * are the first and the last of them. */
static void write_nodes(const JmDebug *d, const NodeSet *set, Text *text) {
    unsigned first = UINT_MAX, last = 0, count = 0;
    for (unsigned i = 0; set->bits && i < set->count; i++) {
        if (!nodeset_has(set, i))
            continue;
        first = i < first ? i : first;
        last = i;
        count++;
    }
    if (!count)
        return;
    unsigned low[3], high[3];
    jm_node_position(d->machine, first, &low[0], &low[1], &low[2]);
    jm_node_position(d->machine, last, &high[0], &high[1], &high[2]);
    if (count == 1)
        text_add(text, " on %u", first);
    else if (count == last - first + 1)
        text_add(text, " on %u-%u", first, last);
    else
        text_add(text, " on %u-%u,%u-%u,%u-%u", low[0], high[0], low[1], high[1],
                 low[2], high[2]);
}

/* Appends the address of a stop. An instruction in the low half of a word, or one of
 * several, is named by its line. */
static void write_place(const JmDebug *d, const Stop *stop, Text *text) {
    const JmDebugPlace at = stop->kind == STOP_BREAK
                                ? stop->at.list[0]
                                : jm_debug_place(d, stop->address, false);
    if (stop->place)
        text_add(text, "%s", stop->place);
    else if ((at.low || stop->at.count > 1) && at.file)
        text_add(text, " %s:%d", at.file, at.line);
    else
        text_add(text, " 0x%05" PRIX32, at.address);
}

/* Appends which event a catchpoint is for. */
static void write_event(const JmDebug *d, const Stop *stop, Text *text) {
    unsigned i = 0;
    while (i + 1 < EVENTS && !(stop->what >> events[i].kind & 1))
        i++;
    text_add(text, "catch %s",
             stop->deadlock ? "deadlock"
             : stop->idle   ? "idle"
                            : events[i].name);
    if (events[i].take == take_handler && stop->what && !stop->any)
        write_place(d, stop, text);
    if (events[i].take == take_target && stop->what && !stop->any)
        text_add(text, " to %u", stop->to);
    for (unsigned f = 0; f < JM_FAULT_COUNT && stop->faults != UINT32_MAX; f++)
        if (stop->faults & JM_FAULT_BIT(f))
            text_add(text, " %s", jm_fault_name(f));
    for (unsigned op = 0; op < JM_OP_COUNT; op++)
        if (stop->ops >> op & 1)
            text_add(text, " %s", jm_op_info(op)->name);
}

/* Appends what a stop is and where, as the beginning of its command. */
static void write_kind(const JmDebug *d, const Stop *stop, Text *text) {
    switch (stop->kind) {
    case STOP_BREAK:
        if (stop->ops) {
            write_event(d, stop, text);
            break;
        }
        text_add(text, "%s", stop->temporary ? "tbreak" : "break");
        write_place(d, stop, text);
        break;
    case STOP_WATCH:
        text_add(text, "%s",
                 !stop->reads   ? "watch"
                 : stop->writes ? "awatch"
                                : "rwatch");
        write_place(d, stop, text);
        if (stop->words > 1)
            text_add(text, " %" PRIu32, stop->words);
        break;
    case STOP_VALUE:
        text_add(text, "node %u\nwatch %s", stop->to, stop->expression);
        break;
    case STOP_CATCH:
        write_event(d, stop, text);
        break;
    }
}

static void write_stop(const JmDebug *d, const Stop *stop, Text *text) {
    write_kind(d, stop, text);
    write_nodes(d, &stop->nodes, text);
    if (stop->condition)
        text_add(text, " if %s", stop->condition);
    if (stop->ignore)
        text_add(text, " after %" PRIu64, stop->ignore);
    text_add(text, stop->enabled ? "\n" : "\ndisable $bpnum\n");
    if (!stop->command_count)
        return;
    text_add(text, "commands\n");
    for (size_t i = 0; i < stop->command_count; i++)
        text_add(text, "  %s\n", stop->commands[i]);
    text_add(text, "end\n");
}

void stops_write(const JmDebug *d, Text *text) {
    bool values = false;
    for (size_t i = 0; i < d->stops->count; i++) {
        write_stop(d, &d->stops->list[i], text);
        values |= d->stops->list[i].kind == STOP_VALUE;
    }
    if (values)
        text_add(text, "node %u\n", d->node);
}
