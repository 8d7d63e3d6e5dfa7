/* Compiled expressions: their emission, and the stack machine that evaluates them. */
#include "emu/debug/values/compiled.h"
#include "emu/debug/talk/names.h"

enum { STACK_MAX = 300 }; /* values on the stack */

/* ---- emission -------------------------------------------------------------------- */

void compiled_clear(Compiled *compiled) {
    heap_free(compiled->steps);
    *compiled = (Compiled){.heap = compiled->heap};
}

void compiled_free(Compiled **compiled) {
    if (*compiled)
        compiled_clear(*compiled);
    heap_free(*compiled);
    *compiled = NULL;
}

/* Returns how many values a step adds to the stack. */
static int effect(const Do *step) {
    switch (step->kind) {
    case DO_PUSH:
    case DO_REGISTER:
    case DO_CYCLE:
    case DO_NODE:
    case DO_CONTEXT:
    case DO_RUNNING:
    case DO_OLD:
    case DO_LATER:
    case DO_MISSING:
        return 1;
    case DO_APPLY:
    case DO_DECIDE:
    case DO_CHOOSE:
    case DO_SKIP: /* the value behind : is made in its place */
        return -1;
    case DO_CALL:
    case DO_SHAPE:
        return 1 - (int)step->arguments;
    default:
        return 0;
    }
}

/* Folds an operator on two constants. False if they are not constants. */
static bool fold(Compiled *compiled, int what) {
    Reason why;
    if (compiled->count < 2)
        return false;
    Value value;
    Do *left = &compiled->steps[compiled->count - 2], *right = left + 1;
    if (left->kind != DO_PUSH || right->kind != DO_PUSH ||
        !expression_apply(what, &left->value, &right->value, &value, why))
        return false;
    left->value = value;
    compiled->count--;
    return true;
}

bool compiled_is_full(const Compiled *compiled) {
    return compiled->depth >= STACK_MAX;
}

void emit(Compiled *compiled, Do step) {
    if (step.kind != DO_REGISTER && step.kind != DO_MEMORY)
        step.node = OWN_NODE;
    compiled->depth += effect(&step);
    compiled->cycles |= step.kind == DO_CYCLE;
    if (step.kind == DO_APPLY && fold(compiled, step.what))
        return;
    compiled->steps = heap_grow(compiled->heap, compiled->steps, compiled->count,
                                &compiled->capacity, sizeof *compiled->steps);
    compiled->steps[compiled->count++] = step;
}

/* Records what a register means for the evaluation: some change with every instruction,
 * QHL with every row that arrives. */
static void note_register(Compiled *compiled, JmReg reg) {
    compiled->restless |=
        reg == JM_REG_IP || reg == JM_REG_MAR || reg == JM_REG_F || reg == JM_REG_U;
    compiled->unsteady |= reg == JM_REG_QHL;
    compiled->registers |= UINT32_C(1) << reg;
}

void emit_place(Compiled *compiled, const Place *place, const char *at) {
    const int node = place->foreign ? (int)place->node : OWN_NODE;
    if (place->kind == PLACE_REGISTER) {
        note_register(compiled, place->reg);
        emit(compiled,
             (Do){.kind = DO_REGISTER,
                  .what = (int)place->reg,
                  .context = place->runs ? RUNNING_CONTEXT : (int)place->context,
                  .node = node});
        return;
    }
    const bool fixed =
        compiled->count > 0 && compiled->steps[compiled->count - 1].kind == DO_PUSH;
    compiled->memory = true;
    compiled->moving |= !fixed;
    emit(compiled, (Do){.kind = DO_MEMORY, .node = node, .at = at});
}

size_t emit_jump(Compiled *compiled, DoKind kind, bool deciding) {
    emit(compiled, (Do){.kind = kind, .what = deciding});
    return compiled->count - 1;
}

void emit_target(Compiled *compiled, size_t jump) {
    compiled->steps[jump].target = compiled->count;
}

/* ---- evaluation ------------------------------------------------------------------ */

/* Whether the network may write an address. Rows are written whole, also to a queue
 * that is smaller than a row. */
static bool is_in_queue(const Priority *queue, uint32_t address) {
    const uint32_t base = jm_field20(queue->qbm);
    const uint32_t words = (base | jm_field10(queue->qbm)) - base + NODE_ROW_WORDS;
    return !(queue->qbm & JM_ADDR_INVALID) && address - base < words;
}

/* Whether a word of a queue has arrived. It stays then, because the network writes only
 * behind it. */
static bool has_arrived(const Priority *queue, uint32_t address) {
    const uint32_t behind = address - jm_field20(queue->qhl);
    return node_queue_address(queue, address) == address &&
           (behind & jm_field10(queue->qbm)) < jm_field10(queue->qhl);
}

bool memory_is_steady(const Node *node, uint32_t address) {
    for (unsigned p = 0; p < 2; p++)
        if (is_in_queue(&node->priority[p], address) &&
            !has_arrived(&node->priority[p], address))
            return false;
    return true;
}

/* Reports why an expression has no value. */
static Computed no_value(const Sight *sight, const char *why) {
    snprintf(sight->why, REASON_TEXT, "%s", why);
    return NO_VALUE;
}

static const char NO_ADDRESS[] = "no address: memory is 0..0xFFFFF";

/* Replaces the address on the stack by the word at it. */
static Computed load(const Sight *sight, unsigned node, Value *top) {
    const uint32_t address = value_address(top);
    if (address == UINT32_MAX)
        return no_value(sight, NO_ADDRESS);
    if (sight->early && !memory_is_steady(node_at(sight->d, node), address))
        return NOT_STEADY;
    *top = value_of_word(jm_read(sight->d->machine, node, address));
    return COMPUTED;
}

static Value read_register(const Sight *sight, const Do *step, unsigned node) {
    const JmMachine *machine = sight->d->machine;
    const JmContext context = step->context == RUNNING_CONTEXT
                                  ? jm_running(machine, node)
                                  : (JmContext)step->context;
    return value_of_word(jm_register(machine, node, context, (JmReg)step->what));
}

/* Returns the value of a step that takes none. */
static Value leaf(const Sight *sight, const Do *step, unsigned node) {
    switch (step->kind) {
    case DO_REGISTER:
        return read_register(sight, step, node);
    case DO_CYCLE:
        return value_of_number((int64_t)sight->d->machine->now);
    case DO_NODE:
        return value_of_number(node);
    case DO_CONTEXT:
        return value_of_number(context_of(sight->d, node));
    case DO_RUNNING:
        return value_of_number(jm_running(sight->d->machine, node));
    default:
        return step->value;
    }
}

/* Applies an operator to one value. */
static Value changed(DoKind kind, const Value *value) {
    switch (kind) {
    case DO_NEGATE:
        return value_negated(value);
    case DO_INVERT:
        return value_inverted(value);
    case DO_NOT:
        return value_of_number(!value_true(value));
    default:
        return value_of_number(value_true(value));
    }
}

/* Applies an operator to two values, replacing the first. */
static Computed apply(const Sight *sight, int what, Value *left, const Value *right) {
    Value value;
    if (!expression_apply(what, left, right, &value, sight->why))
        return NO_VALUE;
    *left = value;
    return COMPUTED;
}

/* Applies a function to its arguments, replacing the first. */
static Computed call(const Sight *sight, unsigned node, int what, Value *first) {
    Value value;
    if (!expression_call(sight->d, node, what, first, &value, sight->why))
        return NO_VALUE;
    *first = value;
    return COMPUTED;
}

/* Executes one step on a stack whose next free place is *top; *next may be advanced. */
static Computed do_step(const Sight *sight, const Do *step, Value **top, size_t *next) {
    const unsigned node = step->node == OWN_NODE ? sight->node : (unsigned)step->node;
    Value *last = *top - 1;
    if (sight->early && node != sight->node)
        return NOT_STEADY;
    switch (step->kind) {
    case DO_MEMORY:
        return load(sight, node, last);
    case DO_APPLY:
        *top -= 1;
        return apply(sight, step->what, last - 1, last);
    case DO_NEGATE:
    case DO_INVERT:
    case DO_NOT:
    case DO_TRUTH:
        *last = changed(step->kind, last);
        return COMPUTED;
    case DO_DECIDE:
        if (value_true(last) == (step->what != 0)) {
            *last = value_of_number(step->what);
            *next = step->target;
        } else {
            *top -= 1;
        }
        return COMPUTED;
    case DO_CHOOSE:
        *top -= 1;
        if (!value_true(last))
            *next = step->target;
        return COMPUTED;
    case DO_SKIP:
        *next = step->target;
        return COMPUTED;
    case DO_CHOSEN:
        return COMPUTED;
    case DO_CALL:
        *top -= step->arguments;
        return call(sight, node, step->what, (*top)++);
    case DO_SHAPE:
        *top -= step->arguments;
        last = (*top)++;
        *last = expression_shape((unsigned)step->what, last, step->arguments);
        return COMPUTED;
    case DO_MISSING:
        snprintf(sight->why, REASON_TEXT, "no register or variable $%.*s", step->what,
                 step->name);
        return NO_VALUE;
    case DO_OLD:
    case DO_LATER:
        if (!sight->old)
            return no_value(sight, "there is no $old here");
        *(*top)++ = *sight->old;
        return COMPUTED;
    default:
        *(*top)++ = leaf(sight, step, node);
        return COMPUTED;
    }
}

Computed compiled_find(const Compiled *compiled, const Sight *sight, Value *value,
                       const char **at) {
    Value stack[STACK_MAX + 1];
    Value *top = stack + 1; /* nothing is below; steps may form its address */
    if (sight->early && (compiled->unsteady || compiled->cycles))
        return NOT_STEADY;
    for (size_t i = 0; i < compiled->count;) {
        const Do *step = &compiled->steps[i++];
        const Computed computed = do_step(sight, step, &top, &i);
        if (computed != COMPUTED) {
            *at = step->at;
            return computed;
        }
    }
    *value = top[-1];
    return COMPUTED;
}

Computed compiled_value(const Compiled *compiled, const Sight *sight, Value *value) {
    const char *at;
    return compiled_find(compiled, sight, value, &at);
}

/* ---- before the machine runs ----------------------------------------------------- */

/* What is known of a value. */
typedef struct {
    bool known; /* it is `value` */
    bool word;  /* it is a word */
    Value value;
} Guess;

/* Whether an operator can have a value; with a reason if not. */
static bool may_apply(int op, const Guess *left, const Guess *right, Reason why) {
    return !(right->known && expression_divides_by_zero(op, &right->value, why)) &&
           !(right->known && left->word &&
             expression_is_too_long(op, &right->value, why)) &&
           !(left->known && right->word &&
             expression_is_too_long(op, &left->value, why));
}

/* Whether a step can have a value, from what is known of those that it takes; what is
 * known of its own goes to *made. */
static bool may_step(const Do *step, const Guess *first, Guess *made, Reason why) {
    *made = (Guess){.word = step->kind == DO_REGISTER || step->kind == DO_MEMORY ||
                            step->kind == DO_SHAPE};
    switch (step->kind) {
    case DO_PUSH:
        *made = (Guess){true, step->value.is_word, step->value};
        return true;
    case DO_MEMORY:
        snprintf(why, REASON_TEXT, "%s", NO_ADDRESS);
        return !first->known || value_address(&first->value) != UINT32_MAX;
    case DO_APPLY:
        made->known = first[0].known && first[1].known;
        return may_apply(step->what, &first[0], &first[1], why) &&
               (!made->known || expression_apply(step->what, &first[0].value,
                                                 &first[1].value, &made->value, why));
    case DO_NEGATE:
    case DO_INVERT:
    case DO_NOT:
    case DO_TRUTH:
        made->known = first->known;
        made->value = changed(step->kind, &first->value);
        return true;
    case DO_CALL:
        return !step->arguments || !first->known ||
               expression_takes(step->what, &first->value, why);
    default:
        return true;
    }
}

static bool is_jump(const Do *step) {
    return step->kind == DO_DECIDE || step->kind == DO_CHOOSE || step->kind == DO_SKIP;
}

/* Whether a step jumps, as far as is known from the value that it takes. */
static bool would_jump(const Do *step, const Guess *taken) {
    return step->kind == DO_SKIP || value_true(&taken->value) == (step->what != 0);
}

/* Code after an undecided &&, || or ? may not be executed, so nothing there counts
 * against the expression. */
bool compiled_never(const Compiled *compiled, Reason why) {
    Guess stack[STACK_MAX + 2] = {{.known = false}};
    Guess *top = stack; /* the last one; stack[0] is none */
    size_t sure_from = 0;
    for (size_t i = 0; i < compiled->count;) {
        const Do *step = &compiled->steps[i];
        const bool sure = i++ >= sure_from;
        if (is_jump(step)) {
            const bool decided = sure && (step->kind == DO_SKIP || top->known);
            const bool jumps = decided && would_jump(step, top);
            if (jumps)
                i = step->target;
            if (!jumps || step->kind == DO_CHOOSE)
                top--;
            if (!decided && step->target > sure_from)
                sure_from = step->target;
            continue;
        }
        Guess made;
        top += effect(step);
        if (!may_step(step, top, &made, why) && sure)
            return true;
        made.known &= sure || step->kind == DO_PUSH;
        *top = made;
    }
    return false;
}
