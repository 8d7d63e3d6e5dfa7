/* Stops in a run: they become marks in memory and sets of nodes, are evaluated while
 * the machine runs, counted and reported. An instruction that touches a mark is
 * executed in its own cycle and evaluated there, so that a stop whose condition does
 * not hold, or whose count is not reached, does not end the run.
 *
 *     marked instruction that is due in this cycle  judge_before, exactly
 *     event of this cycle                           judge_event, by its own node alone
 *     step of a node whose registers are watched    judge_stepped, by that node alone
 *     end of a cycle                                judge_after, exactly
 *     cannot be evaluated there                     the run ends, hits_count decides */
#include <stdlib.h>
#include <string.h>

#include "emu/debug/stops/stops.h"
#include "emu/debug/talk/names.h"
#include "emu/debug/values/compiled.h"

/* LATER: it cannot be decided before the run has ended */
typedef enum { LET_PASS, STOPS, LATER } Verdict;

/* Adds a hit, if there is room for more. `event` and `why` may be NULL. */
static void hit_add(JmDebug *d, const Stop *stop, unsigned node, const JmEvent *event,
                    bool judged, const char *why) {
    d->stops->hits = heap_grow(d->heap, d->stops->hits, d->stops->hit_count,
                               &d->stops->hit_capacity, sizeof *d->stops->hits);
    Hit *hit = &d->stops->hits[d->stops->hit_count++];
    *hit = (Hit){.stop = stop->id,
                 .judged = judged,
                 .node = node,
                 .cycle = d->machine->now,
                 .event = event ? *event : (JmEvent){.node = node}};
    if (why)
        snprintf(hit->why, sizeof hit->why, "%s", why);
}

/* ---- conditions ------------------------------------------------------------------ */

/* Returns the value of $old in a condition, or NULL. */
static const Value *old_value(const Stop *stop, const JmEvent *event, Value *room) {
    if (stop->kind == STOP_VALUE)
        return stop->before.none ? NULL : &stop->before;
    if (stop->kind != STOP_WATCH || !event)
        return NULL;
    *room = value_of_word(event->old);
    return room;
}

/* Whether the condition of a stop holds while the machine stands still. One without a
 * value counts as true, because a stop too many is better than one too few, and `why`
 * gives the reason; otherwise that is "". `event`: that of the hit; NULL: none. */
static bool condition_holds(JmDebug *d, const Stop *stop, unsigned node,
                            const JmEvent *event, Reason why) {
    Value value, room;
    why[0] = '\0';
    if (!stop->condition)
        return true;
    const Value *old = old_value(stop, event, &room);
    const Sight sight = {.d = d, .node = node, .old = old, .why = why};
    const bool computed =
        stop->judges ? compiled_value(stop->judges, &sight, &value) == COMPUTED
                     : evaluate_quietly(d, stop->condition, node, old, &value, why);
    return !computed || value_true(&value);
}

/* Evaluates the expression of a VALUE while the machine stands still. */
static Value stop_value(JmDebug *d, Stop *stop) {
    Value value = value_of_number(0);
    const Sight sight = {.d = d, .node = stop->to, .why = stop->why};
    value.none = stop->looks ? compiled_value(stop->looks, &sight, &value) != COMPUTED
                             : !evaluate_quietly(d, stop->expression, stop->to, NULL,
                                                 &value, stop->why);
    return value;
}

static bool same_value(const Value *a, const Value *b) {
    if (a->none || b->none)
        return a->none == b->none;
    return a->is_word == b->is_word &&
           (a->is_word ? jm_same(a->word, b->word) : a->number == b->number);
}

/* Evaluates a condition while only `node` is known to be in its state of this cycle. */
static Verdict condition_early(JmDebug *d, const Stop *stop, unsigned node,
                               const JmEvent *event, Reason why) {
    Value value, room;
    why[0] = '\0';
    if (!stop->condition)
        return STOPS;
    if (!stop->judges)
        return LATER;
    const Sight sight = {.d = d,
                         .node = node,
                         .early = true,
                         .old = old_value(stop, event, &room),
                         .why = why};
    const Computed computed = compiled_value(stop->judges, &sight, &value);
    if (computed == NOT_STEADY)
        return LATER;
    return computed == COMPUTED && !value_true(&value) ? LET_PASS : STOPS;
}

/* ---- in the cycle ---------------------------------------------------------------- */

/* Counts a hit. True if the stop has ignored enough of them. */
static bool count_hit(Stop *stop) {
    if (!stop->ignore)
        return true;
    stop->ignore--;
    stop->hits++;
    return false;
}

static bool is_at(const Stop *stop, JmDebugPlace place) {
    for (size_t i = 0; i < stop->at.count; i++)
        if (same_place(stop->at.list[i], place))
            return true;
    return false;
}

/* Whether a breakpoint is for the next instruction of a node. */
static bool is_for(const JmDebug *d, const Stop *stop, unsigned node,
                   JmDebugPlace next) {
    if (!stop->ops)
        return is_at(stop, next);
    const JmWord word = jm_read(d->machine, node, next.address);
    return jm_is_instruction(word) &&
           stop->ops >> jm_decode(jm_instruction(word, next.low)).op & 1;
}

/* Implements MachineWatch.before: whether a breakpoint stops the run before this cycle.
 * Nodes that compiled conditions name do not run ahead, so they can be evaluated
 * here. */
static bool judge_before(void *context, unsigned node) {
    JmDebug *d = context;
    const uint32_t ip = jm_data(node_at(d, node)->current->ip);
    const JmDebugPlace next = {.address = address_of_ip(d, node),
                               .low = (ip & JM_IP_PHASE) != 0};
    Reason why = "";
    bool stops = false;
    d->stops->asked = d->machine->now;
    for (size_t i = 0; i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        if (stop->kind != STOP_BREAK || !stop->enabled ||
            !nodeset_has(&stop->nodes, node) || !is_for(d, stop, node, next))
            continue;
        const bool later = stop->foreign && !stop->judges;
        if (!later && (!condition_holds(d, stop, node, NULL, why) || !count_hit(stop)))
            continue;
        hit_add(d, stop, node, NULL, !later, why);
        stops = true;
    }
    return stops;
}

/* Whether an event is one that a catchpoint is for. */
static bool is_caught(const Stop *stop, const JmEvent *e) {
    if (!(stop->what >> e->kind & 1))
        return false;
    switch (e->kind) {
    case JM_EVENT_FAULT:
        return stop->faults >> e->fault & 1;
    case JM_EVENT_DISPATCH:
        return stop->any || e->address == stop->address;
    case JM_EVENT_SEND:
        return e->opens && (stop->any || e->destination == stop->to);
    default:
        return true;
    }
}

/* Whether an event is an access to words of a watchpoint. */
static bool is_watched(const Stop *stop, const JmEvent *e) {
    const bool access = (e->kind == JM_EVENT_READ && stop->reads) ||
                        (e->kind == JM_EVENT_WRITE && stop->writes);
    return access && e->address - stop->address < stop->words;
}

/* Whether an event comes from the network. Its node may have run ahead of it, so the
 * node's state says nothing. */
static bool is_of_the_network(const JmEvent *e) {
    return e->by_network || e->kind == JM_EVENT_ARRIVE || e->kind == JM_EVENT_OVERFLOW;
}

/* Whether an access is by an instruction of which another access was a hit. */
static bool is_counted(const Stop *stop, const JmEvent *e) {
    return stop->kind == STOP_WATCH && !e->by_network &&
           stop->hit_cycle == e->cycle + 1 && stop->hit_node == e->node;
}

/* Evaluates an event that a stop is for; adds a hit unless it is ignored. */
static bool hits_by_event(JmDebug *d, Stop *stop, const JmEvent *e) {
    Reason why = "";
    if (is_counted(stop, e))
        return false;
    const Verdict verdict = stop->condition && is_of_the_network(e)
                                ? LATER
                                : condition_early(d, stop, e->node, e, why);
    if (verdict == LET_PASS)
        return false;
    stop->hit_cycle = e->by_network ? 0 : e->cycle + 1;
    stop->hit_node = e->node;
    if (verdict == STOPS && !count_hit(stop))
        return false;
    hit_add(d, stop, e->node, e, verdict == STOPS, why);
    return true;
}

/* A JmObserver: whether a watchpoint, a catchpoint or the trace stops the run. */
static bool judge_event(void *context, const JmEvent *event) {
    JmDebug *d = context;
    bool stops = false;
    if (d->stops->search)
        return d->stops->search->note(d->stops->search, event);
    if (d->stops->trace)
        stops = trace_event_of(d, event);
    for (size_t i = 0; d->stops->stopping && i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        const bool hit = stop->kind == STOP_CATCH   ? is_caught(stop, event)
                         : stop->kind == STOP_WATCH ? is_watched(stop, event)
                                                    : false;
        if (hit && stop->enabled && nodeset_has(&stop->nodes, event->node))
            stops |= hits_by_event(d, stop, event);
    }
    return stops;
}

/* ---- values ---------------------------------------------------------------------- */

/* Whether a step of an expression looks at a node, and at which. */
static bool looks_at(const Do *step, const Stop *stop, unsigned *node) {
    switch (step->kind) {
    case DO_REGISTER:
    case DO_MEMORY:
    case DO_CALL:
    case DO_CONTEXT:
    case DO_RUNNING:
        *node = step->node == OWN_NODE ? stop->to : (unsigned)step->node;
        return true;
    default:
        return false;
    }
}

/* Returns the node on which a WAY_SPIED value depends. */
static unsigned spied_node(const Stop *stop) {
    unsigned node = stop->to;
    for (size_t i = 0; i < stop->looks->count; i++)
        if (looks_at(&stop->looks->steps[i], stop, &node))
            break;
    return node;
}

static bool is_spied(const Stop *stop, unsigned node) {
    return stop->enabled && stop->kind == STOP_VALUE && stop->way == WAY_SPIED &&
           spied_node(stop) == node;
}

/* Whether a spied value has changed: STOPS if so, LATER if it cannot be decided. */
static Verdict value_early(JmDebug *d, Stop *stop, Value *value) {
    const Sight sight = {
        .d = d, .node = spied_node(stop), .early = true, .why = stop->why};
    if (stop->changed) /* the run is about to end: nothing more is issued ahead */
        return LATER;
    const Computed computed = compiled_value(stop->looks, &sight, value);
    if (computed == NOT_STEADY)
        return LATER;
    if (computed == NO_VALUE)
        *value = (Value){.none = true};
    return same_value(value, &stop->last) ? LET_PASS : STOPS;
}

/* Implements NodeMarks.stepped: judges watched values of a node whose registers are
 * watched. A value that is not ignored here is evaluated again after the run, so the
 * value before the change is kept. */
static void judge_stepped(void *context, const Node *node) {
    JmDebug *d = context;
    for (size_t i = 0; d->stops->stopping && i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        Value value;
        Reason why;
        if (!is_spied(stop, node->rank))
            continue;
        const Verdict changed = value_early(d, stop, &value);
        if (changed == LET_PASS)
            continue;
        stop->before = stop->last;
        d->stops->rearm |= changed == LATER;
        const Verdict verdict =
            changed == LATER ? LATER : condition_early(d, stop, node->rank, NULL, why);
        if (verdict == LET_PASS || (verdict == STOPS && stop->ignore)) {
            if (verdict == STOPS)
                count_hit(stop);
            stop->last = value;
        } else {
            stop->changed = true;
            d->machine->break_seen = d->machine->env.boundary = true;
        }
    }
}

/* Implements MachineWatch.after: whether a watched value of several nodes stops the
 * run. Nodes that these values read do not run ahead, so all can be evaluated
 * exactly. */
static bool judge_after(void *context) {
    JmDebug *d = context;
    for (size_t i = 0; i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        Reason why;
        if (!stop->enabled || stop->kind != STOP_VALUE || stop->way != WAY_CYCLE)
            continue;
        const Value value = stop_value(d, stop);
        if (same_value(&value, &stop->last))
            continue;
        stop->before = stop->last;
        if (stop->condition && !stop->judges)
            return true;
        if (condition_holds(d, stop, stop->to, NULL, why) && count_hit(stop))
            return true;
        stop->last = value;
    }
    return false;
}

/* ---- the machine ----------------------------------------------------------------- */

JmStop run_machine(JmDebug *d, uint64_t until) {
    const JmStop stop = jm_run(d->machine, until);
    if (stop == JM_STOP_MEMORY)
        heap_fail(d->heap);
    return stop;
}

static void set_bit(uint64_t *bits, uint32_t index) {
    bits[index / 64] |= UINT64_C(1) << (index % 64);
}

/* Marks the words of a watchpoint, and widens the range of marked data. */
static void mark_data(JmDebug *d, const Stop *stop) {
    NodeMarks *marks = &d->stops->watch.marks;
    const uint32_t low = stop->address, end = low + stop->words;
    for (uint32_t address = low; address < end; address++)
        set_bit(d->stops->data_marks, address);
    const uint32_t old_end = marks->data_low + marks->data_words;
    if (!marks->data_words || low < marks->data_low)
        marks->data_low = low;
    marks->data_words = (old_end > end ? old_end : end) - marks->data_low;
}

/* Marks all memory where messages may wait: queues, and external memory, where software
 * puts those that do not fit. */
static void mark_messages(JmDebug *d) {
    memset(d->stops->data_marks + MEMORY_EXTERNAL / 64, 0xFF,
           (NODE_MARKS - MEMORY_EXTERNAL / 64) * sizeof *d->stops->data_marks);
    d->stops->watch.marks.data_low = MEMORY_EXTERNAL;
    d->stops->watch.marks.data_words = JM_ADDRESS_MASK + 1 - MEMORY_EXTERNAL;
    for (unsigned p = 0; p < 2; p++) {
        const uint32_t low = d->stops->queues[p].low, end = d->stops->queues[p].end;
        const Stop queue = {.address = low, .words = end - low};
        if (low < end)
            mark_data(d, &queue);
    }
}

/* Arms a search of the past instead of stops. */
static void arm_search(JmDebug *d) {
    const Search *search = d->stops->search;
    d->stops->watch.kinds = search->kinds;
    d->stops->stopping = false;
    d->stops->marked = true;
    if (search->messages)
        mark_messages(d);
    else
        mark_data(d, &(Stop){.address = search->address, .words = 1});
    machine_watch(d->machine, &d->stops->watch);
}

/* ---- values ---------------------------------------------------------------------- */

/* Compiles `text`, NULL or an expression, in place of the previous result. */
static void compile_again(JmDebug *d, const char *text, unsigned node,
                          Compiled **compiled) {
    compiled_free(compiled);
    if (text)
        *compiled = compile(d, text, node);
}

/* Whether an expression reads memory only at fixed addresses that nothing but the node
 * itself writes. */
static bool is_fixed_memory(const JmDebug *d, const Compiled *looks, unsigned node) {
    if (looks->moving)
        return false;
    for (size_t i = 1; i < looks->count; i++) {
        const uint32_t address = value_address(&looks->steps[i - 1].value);
        if (looks->steps[i].kind == DO_MEMORY &&
            (address == UINT32_MAX || !memory_is_steady(node_at(d, node), address)))
            return false;
    }
    return true;
}

/* Whether a value can be followed at one node: that node alone changes it. */
static bool can_be_spied(const JmDebug *d, const Stop *stop) {
    const Compiled *looks = stop->looks;
    const unsigned spied = spied_node(stop);
    unsigned node;
    if (looks->cycles || looks->unsteady || looks->restless ||
        (stop->condition && (spied != stop->to || stop->foreign)))
        return false;
    for (size_t i = 0; i < looks->count; i++)
        if (looks_at(&looks->steps[i], stop, &node) && node != spied)
            return false;
    return is_fixed_memory(d, looks, spied);
}

/* Lets the nodes that an expression looks at run in lock step. */
static void hold_back(JmDebug *d, const Stop *stop, const Compiled *compiled) {
    unsigned node;
    for (size_t i = 0; compiled && i < compiled->count; i++)
        if (looks_at(&compiled->steps[i], stop, &node))
            set_bit(d->stops->lockstep, node);
}

/* R0 to R3, A0 to A3 and FIP. Other registers are written only by instructions that are
 * not plain; FIP is, but goes with any of these. */
static const uint32_t PLAIN_REGISTERS = 0xFF | UINT32_C(1) << JM_REG_FIP;

/* Marks the fixed words that a value depends on. */
static void mark_memory(JmDebug *d, const Compiled *looks) {
    for (size_t i = 1; i < looks->count; i++) {
        const Stop word = {.address = value_address(&looks->steps[i - 1].value),
                           .words = 1};
        if (looks->steps[i].kind == DO_MEMORY)
            mark_data(d, &word);
    }
}

/* Chooses how a value is followed and sets what that needs. */
static void arm_value(JmDebug *d, Stop *stop) {
    MachineWatch *watch = &d->stops->watch;
    stop->way = !stop->looks ? WAY_STEP : can_be_spied(d, stop) ? WAY_SPIED : WAY_CYCLE;
    if (stop->way == WAY_SPIED) {
        set_bit(d->stops->spied, spied_node(stop));
        set_bit(d->stops->minding, spied_node(stop));
        watch->marks.spied = d->stops->spied;
        watch->marks.registers |= stop->looks->registers & PLAIN_REGISTERS;
        mark_memory(d, stop->looks);
    } else if (stop->way == WAY_CYCLE) {
        hold_back(d, stop, stop->looks);
        hold_back(d, stop, stop->judges);
        watch->marks.lockstep = d->stops->lockstep;
        watch->after = judge_after;
        watch->every_cycle |=
            stop->looks->cycles || (stop->judges && stop->judges->cycles);
    }
}

/* ---- all ------------------------------------------------------------------------- */

/* Lets the nodes that a breakpoint's condition names run in lock step. Its own node
 * need not: its state is right when the condition is evaluated. */
static void hold_back_foreign(JmDebug *d, const Stop *stop) {
    for (size_t i = 0; stop->judges && i < stop->judges->count; i++) {
        const Do *step = &stop->judges->steps[i];
        if (step->node == OWN_NODE)
            continue;
        set_bit(d->stops->lockstep, (uint32_t)step->node);
        d->stops->watch.marks.lockstep = d->stops->lockstep;
    }
}

/* Marks all instructions: which words hold those with an opcode may change, and differ
 * between nodes. */
static void mark_all_code(JmDebug *d) {
    for (unsigned low = 0; low < 2; low++)
        memset(d->stops->code_marks[low], 0xFF,
               NODE_MARKS * sizeof *d->stops->code_marks[low]);
}

/* Arms one stop. */
static void arm_stop(JmDebug *d, Stop *stop) {
    switch (stop->kind) {
    case STOP_BREAK:
        for (size_t i = 0; i < stop->at.count; i++)
            set_bit(d->stops->code_marks[stop->at.list[i].low],
                    stop->at.list[i].address);
        if (stop->ops)
            mark_all_code(d);
        d->stops->watch.marks.any_code = true;
        hold_back_foreign(d, stop);
        break;
    case STOP_WATCH:
        mark_data(d, stop);
        d->stops->watch.kinds |= UINT32_C(1) << JM_EVENT_WRITE;
        if (stop->reads)
            d->stops->watch.kinds |= UINT32_C(1) << JM_EVENT_READ;
        break;
    case STOP_CATCH:
        d->stops->watch.kinds |= stop->what;
        break;
    case STOP_VALUE:
        arm_value(d, stop);
        break;
    }
}

/* Adds the nodes to which the marks of a stop matter. */
static void mind(JmDebug *d, const Stop *stop) {
    const size_t words = d->machine->nodes / 64 + 1;
    if (stop->kind != STOP_BREAK && stop->kind != STOP_WATCH)
        return;
    for (size_t i = 0; i < words; i++)
        d->stops->minding[i] |= stop->nodes.bits ? stop->nodes.bits[i] : UINT64_MAX;
}

/* Arms all stops that are enabled. False: there are none. */
static bool arm_stops(JmDebug *d) {
    bool any = false;
    for (size_t i = 0; i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        if (!stop->enabled)
            continue;
        any = true;
        stop->hit_cycle = 0; /* the interval may be replayed */
        compile_again(d, stop->condition, d->node, &stop->judges);
        compile_again(d, stop->expression, stop->to, &stop->looks);
        arm_stop(d, stop);
        mind(d, stop);
    }
    d->stops->watch.marks.nodes = d->stops->minding;
    d->stops->marked = any;
    return any;
}

static void clear_marks(JmDebug *d) {
    const size_t words = d->machine->nodes / 64 + 1;
    if (!d->stops->marked)
        return;
    for (unsigned low = 0; low < 2; low++)
        memset(d->stops->code_marks[low], 0,
               NODE_MARKS * sizeof *d->stops->code_marks[low]);
    memset(d->stops->data_marks, 0, NODE_MARKS * sizeof *d->stops->data_marks);
    memset(d->stops->minding, 0, words * sizeof *d->stops->minding);
    memset(d->stops->spied, 0, words * sizeof *d->stops->spied);
    memset(d->stops->lockstep, 0, words * sizeof *d->stops->lockstep);
    d->stops->marked = false;
}

void stops_arm(JmDebug *d, bool on) {
    clear_marks(d);
    d->stops->watch = (MachineWatch){
        .marks = {.code = {d->stops->code_marks[0], d->stops->code_marks[1]},
                  .data = d->stops->data_marks,
                  .stepped = judge_stepped,
                  .context = d},
        .kinds = trace_kinds(d),
        .observer = judge_event,
        .before = judge_before,
        .passed = d->stops->watch.passed,
        .context = d};
    d->stops->stopping = on;
    d->stops->rearm = false;
    if (d->stops->search) {
        arm_search(d);
        return;
    }
    const bool any = on && arm_stops(d);
    machine_watch(d->machine, any || d->stops->watch.kinds ? &d->stops->watch : NULL);
}

/* ---- after a run ----------------------------------------------------------------- */

Stop *stop_by_id(const JmDebug *d, unsigned id) {
    for (size_t i = 0; i < d->stops->count; i++)
        if (d->stops->list[i].id == id)
            return &d->stops->list[i];
    return NULL;
}

/* Whether a hit counts: its condition holds, and its count is reached. */
static bool counts(JmDebug *d, Hit *hit) {
    Stop *stop = stop_by_id(d, hit->stop);
    if (!hit->judged && !condition_holds(d, stop, hit->node, &hit->event, hit->why))
        return false;
    stop->hits++;
    if (!hit->judged && stop->ignore) {
        stop->ignore--;
        return false;
    }
    return true;
}

bool hits_count(JmDebug *d) {
    size_t kept = 0;
    for (size_t i = 0; i < d->stops->hit_count; i++)
        if (counts(d, &d->stops->hits[i]))
            d->stops->hits[kept++] = d->stops->hits[i];
    d->stops->hit_count = kept < HITS_MAX ? kept : HITS_MAX;
    d->stops->left_out = kept - d->stops->hit_count;
    return kept > 0;
}

/* Values that cannot be followed in a better way are evaluated after every cycle. */
bool stops_need_steps(const JmDebug *d) {
    for (size_t i = 0; i < d->stops->count; i++)
        if (d->stops->list[i].enabled && d->stops->list[i].kind == STOP_VALUE &&
            d->stops->list[i].way == WAY_STEP)
            return true;
    return false;
}

void stops_restart(JmDebug *d) {
    for (size_t i = 0; i < d->stops->count; i++)
        d->stops->list[i].hits = 0;
    d->stops->asked = UINT64_MAX;
    d->stops->hit_count = 0;
}

void stops_see_values(JmDebug *d) {
    for (size_t i = 0; i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        if (stop->kind == STOP_VALUE)
            stop->last.none = !evaluate_quietly(d, stop->expression, stop->to, NULL,
                                                &stop->last, NULL);
    }
}

/* Accesses to a queue are seen if its memory is known: from the beginning of an
 * interval, or from the present that the look back started from. */
void stops_see_queues(JmDebug *d) {
    for (unsigned i = 0; i < d->machine->nodes * 2; i++) {
        const uint32_t qbm = node_at(d, i / 2)->priority[i % 2].qbm;
        const uint32_t low = jm_field20(qbm), end = (low | jm_field10(qbm)) + 1;
        if (!jm_field10(qbm))
            continue;
        if (!d->stops->queues[i % 2].end || low < d->stops->queues[i % 2].low)
            d->stops->queues[i % 2].low = low;
        if (end > d->stops->queues[i % 2].end)
            d->stops->queues[i % 2].end = end;
    }
}

void stops_check_values(JmDebug *d) {
    for (size_t i = 0; i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        stop->changed = false;
        if (stop->kind != STOP_VALUE || !stop->enabled)
            continue;
        const Value value = stop_value(d, stop);
        if (same_value(&value, &stop->last))
            continue;
        hit_add(d, stop, stop->to, NULL, false, NULL);
        d->stops->hits[d->stops->hit_count - 1].before = stop->last;
        stop->before = stop->last;
        stop->last = value;
    }
}

/* Adds hits of stops that catch the kind of end that the machine has reached. */
void stops_check_end(JmDebug *d) {
    for (size_t i = 0; i < d->stops->count; i++) {
        const Stop *stop = &d->stops->list[i];
        const bool hit = (stop->deadlock && d->machine->stop == JM_STOP_DEADLOCK) ||
                         (stop->idle && d->machine->stop == JM_STOP_IDLE);
        if (hit && stop->enabled)
            hit_add(d, stop, d->node, NULL, false, NULL);
    }
}

/* ---- reporting ------------------------------------------------------------------- */

size_t hits_report(JmDebug *d, Reported reported[HITS_MAX]) {
    size_t count = 0;
    for (size_t i = 0; i < d->stops->hit_count; i++) {
        const Hit *hit = &d->stops->hits[i];
        const Stop *stop = stop_by_id(d, hit->stop);
        if (!stop)
            continue;
        Reported *r = &reported[count++];
        *r = (Reported){.hit = *hit,
                        .kind = stop->kind,
                        .text = text_copy_all(d->heap, stop->text),
                        .now = stop->last};
        memcpy(r->no_value, stop->why, sizeof r->no_value);
    }
    return count;
}

/* Prints an access. */
static void say_access(JmDebug *d, Text *out, const JmEvent *e, const char *place) {
    static const char *const as[] = {[JM_ACCESS_OPERAND] = "",
                                     [JM_ACCESS_TABLE] = " of the translation table",
                                     [JM_ACCESS_CALL_VECTOR] = " as a vector of CALL",
                                     [JM_ACCESS_FAULT_VECTOR] =
                                         " as a vector of a fault",
                                     [JM_ACCESS_HEADER] = " as the header of a message",
                                     [JM_ACCESS_ROW] = ""};
    const bool write = e->kind == JM_EVENT_WRITE;
    say_to(out, ": %s %s %s %05" PRIX32 "%s%s%s", write ? "wrote" : "read",
           word_text(d, e->word), write ? "to" : "from", e->address, as[e->access],
           e->by_network ? ", a message" : " at ", e->by_network ? "" : place);
    if (!write)
        return;
    if (memory_is_rom(e->address))
        say_to(out, ", but ROM keeps %s", word_text(d, e->old));
    else if (jm_same(e->word, e->old))
        say_to(out, ", which it held before");
    else
        say_to(out, ", before %s", word_text(d, e->old));
}

/* Prints what happened, by the kind of event. */
static void say_event(JmDebug *d, Text *out, const JmEvent *e) {
    const bool access = e->kind == JM_EVENT_READ || e->kind == JM_EVENT_WRITE;
    const char *place = place_text(d, access ? e->where : e->address, true);
    const char *word = word_text(d, e->word);
    switch (e->kind) {
    case JM_EVENT_READ:
    case JM_EVENT_WRITE:
        say_access(d, out, e, place);
        break;
    case JM_EVENT_FAULT:
        say_to(out, ": %s at %s, operand %s", jm_fault_name(e->fault), place, word);
        break;
    case JM_EVENT_DISPATCH:
        say_to(out, ": dispatched %s", word);
        break;
    case JM_EVENT_SUSPEND:
        say_to(out, ": SUSPEND at %s", place);
        break;
    case JM_EVENT_SEND:
        say_to(out, ": message %" PRIu32 " to node %" PRIu32 "%s", e->message,
               e->destination, jm_redirection_text((JmRedirection)e->redirected));
        break;
    case JM_EVENT_ARRIVE:
        say_to(out, ": message %" PRIu32 " has arrived", e->message);
        break;
    case JM_EVENT_OVERFLOW:
        say_to(out, ": queue %u is full", e->priority);
        break;
    case JM_EVENT_RETURN:
        say_to(out, ": message %" PRIu32 " goes back to its sender", e->message);
        break;
    case JM_EVENT_SPILL:
        say_to(out, ": a row of message %" PRIu32 " to the ring", e->message);
        break;
    case JM_EVENT_BRAKE:
        say_to(out, ": the brake is %s", e->count ? "on" : "off");
        break;
    default:
        break;
    }
}

/* Prints a watched value; `why`: why there is none. */
static void say_watched(JmDebug *d, Text *out, const Value *value, const char *why) {
    if (value->none)
        say_to(out, "no value%s%s", *why ? ": " : "", why);
    else
        say_value(d, out, value, FORMAT_WORD);
}

/* Prints the new value of a watch; what `until` waits for was false before. */
static void say_change(JmDebug *d, Text *out, const Reported *r) {
    say_to(out, ": now ");
    say_watched(d, out, &r->now, r->no_value);
    if (!r->hit.stop)
        return;
    say_to(out, ", before ");
    say_watched(d, out, &r->hit.before, "");
}

void reported_say(JmDebug *d, Text *out, const Reported *r) {
    const Hit *hit = &r->hit;
    if (hit->stop)
        say_to(out, "stop %u, ", hit->stop);
    say_to(out, "%s, %s", r->text, node_text(d, hit->node));
    if (r->kind == STOP_WATCH || r->kind == STOP_CATCH)
        say_event(d, out, &hit->event);
    if (r->kind == STOP_VALUE)
        say_change(d, out, r);
    say_to(out, "\n");
    if (*hit->why && hit->stop)
        say_to(out, "stop %u: its condition has no value: %s\n", hit->stop, hit->why);
}
