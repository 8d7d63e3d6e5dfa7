/* Input queues of abstract processors: arriving rows, gates, and the treatment of a
 * queue that is nearly full: overflow handler, brake, spill. */
#include <limits.h>
#include <string.h>

#include "net/traffic/processors_parts.h"

/* Costs of the overflow handler in cycles (thesis, table 2.1). */
enum {
    TRAP_PREAMBLE = 150,
    SUBROUTINE = 50,
    WORD_TO_BUFFER = 22,
    TOKEN_HANDLER = 52,
    MESSAGE_FROM_BUFFER = 23,
    WORD_FROM_BUFFER = 26
};

/* ---- lines of messages ----------------------------------------------------------- */

void line_add(NetProcessors *p, Line *line, uint32_t message) {
    p->message[message].behind = NET_NONE;
    if (line->count++ == 0)
        line->first = message;
    else
        p->message[line->last].behind = message;
    line->last = message;
}

uint32_t line_take(NetProcessors *p, Line *line) {
    const uint32_t message = line->first;
    line->first = p->message[message].behind;
    line->count--;
    return message;
}

/* Appends all of `from` to `to`. */
static void line_append(NetProcessors *p, Line *to, Line *from) {
    if (from->count == 0)
        return;
    if (to->count == 0)
        to->first = from->first;
    else
        p->message[to->last].behind = from->first;
    to->last = from->last;
    to->count += from->count;
    *from = (Line){.count = 0};
}

void inputs_count(NetProcessors *p, Input *input, unsigned priority) {
    const unsigned messages = input->in_hand + input->front.count + input->back.count;
    input->words = messages * p->size + (input->token ? ROW : 0) +
                   (input->to_ring ? 0 : input->partial);
    if (input->words > p->counts.longest[priority])
        p->counts.longest[priority] = input->words;
}

/* ---- overflow handler ------------------------------------------------------------ */

/* The messages that the trap puts aside: all but the one in hand, or, if some are
 * already aside, those behind the token. */
static Line *to_put_aside(Input *input) {
    return input->token && input->back.count > 0 ? &input->back : &input->front;
}

static void begin_trap(NetProcessors *p, uint32_t number, unsigned priority) {
    Input *input = &p->node[number].input[priority];
    p->counts.overflows[priority]++;
    if (p->counts.first_overflow == UINT64_MAX) {
        p->counts.first_overflow = p->now;
        p->counts.first_node = number;
    }
    const unsigned words = to_put_aside(input)->count * p->size + input->partial;
    input->trap_cycles = TRAP_PREAMBLE + SUBROUTINE + WORD_TO_BUFFER * words;
    input->trap = true;
}

void inputs_end_trap(NetProcessors *p, uint32_t number, unsigned priority) {
    Input *input = &p->node[number].input[priority];
    Line *line = to_put_aside(input);
    input->trap = false;
    if (line == &input->front && input->token) {
        line_append(p, line, &input->aside); /* they arrived earlier */
        input->aside = *line;
        *line = (Line){.count = 0};
    } else {
        line_append(p, &input->aside, line);
    }
    input->token = input->aside.count > 0;
    inputs_count(p, input, priority);
}

/* Messages that the token's handler takes back: half a queue. */
static unsigned to_take_back(const NetProcessors *p, const Input *input,
                             unsigned priority) {
    const unsigned all = input->aside.count + input->back.count;
    const unsigned half = p->plan.queue[priority] / 2 / p->size;
    return half == 0 ? 1 : all < half ? all : half;
}

unsigned inputs_token_cycles(const NetProcessors *p, const Input *input,
                             unsigned priority) {
    const unsigned back = to_take_back(p, input, priority);
    return TOKEN_HANDLER + SUBROUTINE + WORD_TO_BUFFER * input->back.count * p->size +
           back * (MESSAGE_FROM_BUFFER + WORD_FROM_BUFFER * p->size);
}

void inputs_end_token(NetProcessors *p, uint32_t number, unsigned priority) {
    Input *input = &p->node[number].input[priority];
    unsigned back = to_take_back(p, input, priority);
    line_append(p, &input->aside, &input->back);
    for (; back > 0; back--)
        line_add(p, &input->front, line_take(p, &input->aside));
    input->token = input->aside.count > 0;
    inputs_count(p, input, priority);
}

/* ---- spill ----------------------------------------------------------------------- */

/* The number of words above which a queue spills; 0: never. */
static unsigned spill_limit(const NetProcessors *p, unsigned priority) {
    const unsigned most = p->plan.queue[priority] - ROW;
    if (p->plan.spill_mark == 0 || (priority == 1 && !p->plan.spill_both))
        return 0;
    return priority == 1 || p->plan.spill_mark > most ? most : p->plan.spill_mark;
}

static void spill_row(NetProcessors *p, uint32_t number, Input *input) {
    p->counts.spilled += ROW;
    if (p->plan.spill_cycles == 0)
        return;
    input->shut_until = p->now + 1 + ROW * p->plan.spill_cycles;
    processors_at(p, number, input->shut_until);
}

/* Brings messages back from the ring while the queue has room. */
static void unspill(NetProcessors *p, uint32_t number, unsigned priority) {
    Input *input = &p->node[number].input[priority];
    const unsigned limit = spill_limit(p, priority);
    while (limit > 0 && input->aside.count > 0) {
        if (input->back_at == 0 && input->words + p->size > limit)
            return;
        if (input->back_at == 0)
            input->back_at = p->now + 1 + p->size * p->plan.spill_cycles;
        if (input->back_at > p->now + 1) {
            processors_at(p, number, input->back_at);
            return;
        }
        input->back_at = 0;
        line_add(p, &input->front, line_take(p, &input->aside));
        inputs_count(p, input, priority);
    }
}

/* ---- gates ----------------------------------------------------------------------- */

/* Whether the brake keeps gate 0 shut. */
static bool is_braked(const NetProcessors *p, Node *node) {
    Input *input = &node->input[0];
    const NetProcessorsPlan *plan = &p->plan;
    if (plan->brake_mark == 0)
        return false;
    const unsigned most = plan->brake_ring ? UINT_MAX : plan->queue[0] - ROW;
    const unsigned mark = plan->brake_mark < most ? plan->brake_mark : most;
    const unsigned release = plan->brake_release ? plan->brake_release : mark - ROW;
    const unsigned ring = plan->brake_ring ? input->aside.count * p->size : 0;
    const unsigned words = input->words + ring;
    const bool was_on = input->brake;
    if (words + ROW > mark)
        input->brake = true;
    else if (words <= release)
        input->brake = false;
    if (input->brake && !was_on)
        node->suspended = p->now;
    return input->brake && p->now - node->suspended < plan->brake_patience;
}

static bool wants_open(const NetProcessors *p, Node *node, unsigned priority) {
    const Input *input = &node->input[priority];
    if (input->trap || node->task[priority].state == TASK_TOKEN)
        return false;
    if (priority == 0 && is_braked(p, node))
        return false;
    if (spill_limit(p, priority) > 0)
        return input->shut_until <= p->now;
    return input->words + ROW <= p->plan.queue[priority];
}

void inputs_update(NetProcessors *p, uint32_t number) {
    Node *node = &p->node[number];
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        Input *input = &node->input[priority];
        unspill(p, number, priority);
        const bool open = wants_open(p, node, priority);
        if (open != input->gate)
            net_set_gate(p->net, number, priority, open);
        input->gate = open;
    }
}

/* ---- arrivals -------------------------------------------------------------------- */

static void end_message(NetProcessors *p, uint32_t number, unsigned priority,
                        uint32_t message) {
    Input *input = &p->node[number].input[priority];
    p->message[message].came = p->now + 1;
    input->partial = 0;
    Line *line = input->token ? &input->back : &input->front;
    line_add(p, input->to_ring ? &input->aside : line, message);
    const uint64_t ring = (uint64_t)input->aside.count * p->size;
    if (input->to_ring && ring > p->counts.spill_peak)
        p->counts.spill_peak = ring;
    input->to_ring = false;
}

static void receive_word(NetProcessors *p, const NetDelivery *word) {
    Input *input = &p->node[word->node].input[word->priority];
    if (input->partial == 0 && input->gathered == 0) {
        const unsigned limit = spill_limit(p, word->priority);
        input->to_ring =
            limit > 0 && (input->aside.count > 0 || input->words + p->size > limit);
    }
    if (++input->gathered < ROW && !word->tail)
        return;
    input->gathered = 0;
    input->partial += ROW;
    if (input->to_ring)
        spill_row(p, word->node, input);
    if (word->tail)
        end_message(p, word->node, word->priority, p->carried[word->message]);
    inputs_count(p, input, word->priority);
    if (input->words >= p->plan.queue[word->priority] && !input->trap &&
        p->plan.traps >> word->priority & 1)
        begin_trap(p, word->node, word->priority);
    inputs_update(p, word->node);
    processors_pick(p, word->node);
}

void inputs_receive(NetProcessors *p) {
    size_t count;
    const NetDelivery *words = net_deliveries(p->net, &count);
    for (size_t i = 0; i < count; i++)
        receive_word(p, &words[i]);
    net_settle_gates(p->net);
}
