/* The debugger's state as values, for other front ends; see inspect.h. */
#include "emu/debug/inspect.h"

#include <string.h>

#include "emu/debug/look/look.h"

/* ---- where the machine has arrived ----------------------------------------------- */

JmDebugState jm_debug_state(const JmDebug *d) {
    const Report *r = &d->past->report;
    JmDebugState state = {.arrivals = d->past->arrivals,
                          .changes = d->past->changed,
                          .node = d->node,
                          .context = d->context,
                          .last_id = d->stops->last_id};
    if (!r->made || r->arrival != state.arrivals)
        return state;
    state.end = r->end;
    state.stop = r->stop;
    state.hits = (unsigned)r->hit_count;
    return state;
}

int jm_debug_writer(const JmDebug *d) {
    const Output *output = &d->machine->output;
    return output->several && output->open != OUTPUT_NOBODY ? (int)output->open : -1;
}

static bool tell(JmDebug *d, void *hit) {
    text_clear(&d->shown);
    if (hit)
        reported_say(d, &d->shown, hit);
    else
        report_say(d, &d->shown);
    return true;
}

/* Returns what is printed of a hit of the report; NULL: of all. */
static const char *told(JmDebug *d, Reported *hit) {
    return do_work(d, tell, hit) ? text_get(&d->shown) : "";
}

const char *jm_debug_reason(JmDebug *d) {
    return told(d, NULL);
}

bool jm_debug_hit(JmDebug *d, unsigned index, JmDebugHit *hit) {
    if (index >= jm_debug_state(d).hits)
        return false;
    Reported *r = &d->past->report.hits[index];
    const JmEvent *event = &r->hit.event;
    const bool has_event = r->kind == STOP_WATCH || r->kind == STOP_CATCH;
    *hit = (JmDebugHit){.id = r->hit.stop,
                        .node = r->hit.node,
                        .event = has_event ? event->kind : JM_EVENT_COUNT,
                        .fault = (JmFault)event->fault,
                        .text = told(d, r)};
    return true;
}

/* ---- stops ----------------------------------------------------------------------- */

bool jm_debug_stop(const JmDebug *d, unsigned id, JmDebugStop *stop) {
    const Stop *s = stop_by_id(d, id);
    if (s)
        *stop = (JmDebugStop){
            .hits = s->hits, .places = (unsigned)s->at.count, .text = s->text};
    if (s && s->at.count)
        stop->first = s->at.list[0];
    return s != NULL;
}

/* A breakpoint to be defined. */
typedef struct {
    const JmDebugPlace *places;
    unsigned count;
    const char *clauses;
} Defining;

static bool define_break(JmDebug *d, void *what) {
    const Defining *b = what;
    Places places = {.list = NULL};
    for (unsigned i = 0; i < b->count; i++)
        places_add(d, &places,
                   jm_debug_place(d, b->places[i].address, b->places[i].low));
    const bool good = stop_break_at(d, places, b->clauses);
    flush(d);
    return good;
}

unsigned jm_debug_break(JmDebug *d, const JmDebugPlace *places, unsigned count,
                        const char *clauses) {
    Defining b = {.places = places, .count = count, .clauses = clauses};
    return do_work(d, define_break, &b) ? d->stops->last_id : 0;
}

/* A line whose places are to be found. */
typedef struct {
    const char *file;
    int line;
    JmDebugPlace *places;
    unsigned most, count;
} Finding;

/* A name is the end of a path for the debugger's lines, so others may be found. */
static bool find_places(JmDebug *d, void *what) {
    Finding *f = what;
    Places places = {.list = NULL};
    line_places(d, f->file, strlen(f->file), f->line, &places);
    for (size_t i = 0; i < places.count; i++) {
        const JmDebugPlace place = places.list[i];
        if (!place.file || strcmp(place.file, f->file) != 0)
            continue;
        if (f->count < f->most)
            f->places[f->count] = place;
        f->count++;
    }
    return true;
}

unsigned jm_debug_line_places(JmDebug *d, const char *file, int line,
                              JmDebugPlace *places, unsigned most) {
    Finding f = {.file = file, .line = line, .places = places, .most = most};
    return do_work(d, find_places, &f) ? f.count : 0;
}

const char *jm_debug_lines_near(const JmDebug *d, const char *file, int line) {
    return lines_near_text(d, file, strlen(file), line);
}

/* ---- nodes, tasks, messages ------------------------------------------------------ */

JmDebugNode jm_debug_node(const JmDebug *d, unsigned node) {
    const Activity activity = activity_of(d, node);
    const bool started = activity != ACTIVITY_NOT_STARTED;
    return (JmDebugNode){.activity = activity_text(activity),
                         .started = started,
                         .runs = node_at(d, node)->runs,
                         .rests = activity == ACTIVITY_IDLE || !started,
                         .next = next_of(d, node)};
}

void jm_debug_look(JmDebug *d, unsigned node, int context) {
    d->node = node;
    d->context = context;
}

/* Senders to be found: of the message of the task of `node`. */
typedef struct {
    unsigned node;
    JmContext context;
    JmDebugFrame *frames;
    unsigned least, most, count;
} Senders;

static bool find_senders(JmDebug *d, void *what) {
    Senders *s = what;
    Cause *chain = heap_alloc(d->work, s->most * sizeof *chain);
    s->count = causes_chain(d, s->node, s->context, s->least, chain, s->most);
    for (unsigned i = 0; i < s->count; i++)
        s->frames[i] =
            (JmDebugFrame){.node = chain[i].source,
                           .context = chain[i].sender,
                           .place = jm_debug_place(d, chain[i].sent_at, false),
                           .sender = true,
                           .cycle = chain[i].opened,
                           .header = chain[i].header};
    flush(d);
    return true;
}

unsigned jm_debug_senders(JmDebug *d, unsigned node, JmContext context, unsigned least,
                          JmDebugFrame *frames, unsigned most) {
    Senders s = {.node = node,
                 .context = context,
                 .frames = frames,
                 .least = least,
                 .most = most};
    if (d->past->travel.off || context == JM_CONTEXT_BACKGROUND)
        return 0;
    d->interrupted = false;
    return do_work(d, find_senders, &s) ? s.count : 0;
}

bool jm_debug_message(const JmDebug *d, unsigned node, unsigned priority,
                      unsigned index, JmDebugMessage *message) {
    *message = (JmDebugMessage){.index = 0};
    do
        if (!queue_next(d, node, priority, message))
            return false;
    while (message->index < index);
    return true;
}

uint32_t jm_debug_message_word(const JmDebug *d, unsigned node, unsigned priority,
                               const JmDebugMessage *message, uint32_t word) {
    const Priority *queue = &node_at(d, node)->priority[priority];
    return node_queue_place(queue, message->position + word);
}

/* ---- values ---------------------------------------------------------------------- */

/* An expression to be evaluated. */
typedef struct {
    const char *expression;
    JmDebugValue *value;
} Evaluation;

static bool evaluate(JmDebug *d, void *what) {
    const Evaluation *e = what;
    Args args = {d, e->expression, e->expression};
    Value value;
    d->quiet = true;
    const bool good = take_value(&args, &value) && expect_end(&args);
    d->quiet = false;
    text_clear(&d->shown);
    if (good)
        say_value(d, &d->shown, &value, FORMAT_WORD);
    e->value->text = text_get(good ? &d->shown : &d->error);
    if (!good)
        return false;
    e->value->is_word = value.is_word;
    e->value->word = value.word;
    e->value->number = value_number(&value);
    e->value->address = value_address(&value);
    return true;
}

bool jm_debug_evaluate(JmDebug *d, const char *expression, JmDebugValue *value) {
    Evaluation e = {.expression = expression, .value = value};
    *value = (JmDebugValue){.word = JM_NIL, .address = UINT32_MAX, .text = ""};
    return do_work(d, evaluate, &e);
}

const char *jm_debug_word_text(const JmDebug *d, JmWord word) {
    return word_text(d, word);
}
