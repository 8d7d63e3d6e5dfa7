/* Arms stops before a run: they become marks in memory and sets of nodes, and their
 * conditions and values are compiled. */
#include <string.h>

#include "emu/debug/stops/stops.h"
#include "emu/debug/talk/names.h"
#include "emu/debug/values/compiled.h"

/* ---- the machine ----------------------------------------------------------------- */

/* Watches the machine. If memory runs out the debugger's work is abandoned. */
static void watch(JmDebug *d, const MachineWatch *watch) {
    if (!machine_watch(d->machine, watch))
        heap_fail(d->heap);
}

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
    if (search->marked) {
        const Stop word = {.address = search->address, .words = 1};
        mark_data(d, &word);
    }
    watch(d, &d->stops->watch);
}

/* ---- values ---------------------------------------------------------------------- */

/* Compiles `text` for a node, replacing the previous result. *compiled becomes NULL if
 * there is no text, or if it cannot be compiled. */
static void compile_again(JmDebug *d, const char *text, unsigned node,
                          Compiled **compiled) {
    if (*compiled)
        compiled_clear(*compiled);
    else if (text)
        *compiled = heap_alloc(d->heap, sizeof **compiled);
    if (!text)
        return;
    compile(d, text, node, *compiled);
    if (!(*compiled)->failed)
        return;
    compiled_clear(*compiled);
    heap_free(*compiled);
    *compiled = NULL;
}

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

unsigned spied_node(const Stop *stop) {
    unsigned node = stop->to;
    for (size_t i = 0; i < stop->looks->count; i++)
        if (looks_at(&stop->looks->steps[i], stop, &node))
            break;
    return node;
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

/* Arms one stop. */
static void arm_stop(JmDebug *d, Stop *stop) {
    switch (stop->kind) {
    case STOP_BREAK:
        for (size_t i = 0; i < stop->at.count; i++)
            set_bit(d->stops->code_marks[stop->at.list[i].low],
                    stop->at.list[i].address);
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
    watch(d, any || d->stops->watch.kinds ? &d->stops->watch : NULL);
}
