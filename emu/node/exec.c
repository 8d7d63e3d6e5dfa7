/* The dispatcher of single steps: executes one boundary of a node, as the
 * Message-Driven Processor Architecture (version 11) describes it.
 *
 *   boundary -> interrupt, QUEUE fault, dispatch: when `attention` says so
 *            -> fetch -> decode (look-up) -> operand -> body -> charge
 *
 * node_step_observed() is the same code compiled with the observer calls in, so that
 * unobserved steps do not test for an observer. */
#include "emu/node/execute_inline.h"

#include "emu/node/accesses_inline.h"

/* Charges `cycles` to a class and sets the next boundary. Zero cycles are possible only
 * through parameters; a node still takes one. */
ALWAYS_INLINE void charge(Node *node, unsigned cycle_class, uint32_t cycles) {
    const uint32_t taken = cycles ? cycles : 1;
    node->statistics.cycles[cycle_class] += taken;
    node->last_class = (uint8_t)cycle_class;
    node->ready += taken;
}

ALWAYS_INLINE bool observes(const NodeEnv *env, JmEventKind kind) {
    return env->observed >> kind & 1;
}

/* Fills in cycle, node and context of an event, and passes it to the observer. */
static void observe(const Node *node, NodeEnv *env, unsigned context, JmEvent event) {
    event.cycle = env->now;
    event.node = node->rank;
    event.context = (JmContext)context;
    env->observe(env->machine, &event);
}

/* ---- accesses to memory, for observers ------------------------------------------- */

/* Reports the accesses that an instruction has made: one that faulted has written
 * nothing, and one that waits is reported when it is done. Written words come first:
 * they matter more than the keys that were compared for them. */
static void observe_accesses(const Node *node, NodeEnv *env, const Accesses *accesses,
                             int outcome, uint32_t where, unsigned running) {
    if (outcome == OUTCOME_WAITS)
        return;
    for (unsigned write = outcome >= OUTCOME_DONE ? 2 : 1; write-- > 0;) {
        const JmEventKind kind = write ? JM_EVENT_WRITE : JM_EVENT_READ;
        for (unsigned i = 0; i < accesses->count; i++)
            if (accesses->list[i].kind == kind &&
                node_sees_access(env->marks, accesses->list[i].address))
                observe(node, env, running,
                        (JmEvent){.kind = kind,
                                  .access = accesses->list[i].access,
                                  .address = accesses->list[i].address,
                                  .word = accesses->list[i].word,
                                  .old = accesses->list[i].old,
                                  .where = where,
                                  .priority = running == JM_CONTEXT_1});
    }
}

/* Reports the read of a vector or a header that is not an operand. */
static void observe_read(const Node *node, NodeEnv *env, JmAccess access,
                         uint32_t address, uint32_t where) {
    if (observes(env, JM_EVENT_READ) && node_sees_access(env->marks, address))
        observe(node, env, node->running,
                (JmEvent){.kind = JM_EVENT_READ,
                          .access = access,
                          .address = address,
                          .word = memory_read(&node->memory, address),
                          .where = where,
                          .priority = node->p});
}

/* Reports a fault that was taken, and the vectors that it read. */
static void observe_fault(const Node *node, NodeEnv *env, unsigned running,
                          JmEvent event) {
    event.kind = JM_EVENT_FAULT;
    observe(node, env, running, event);
    const uint32_t vector = node_fault_vector(node, (JmFault)event.fault);
    const bool again = event.fault != JM_FAULT_MSG &&
                       jm_data(node->context[running].fip) & JM_IP_FAULT;
    observe_read(node, env, JM_ACCESS_FAULT_VECTOR, vector, event.address);
    if (again || jm_tag(memory_read(&node->memory, vector)) != JM_TAG_IP)
        observe_read(node, env, JM_ACCESS_FAULT_VECTOR,
                     node_fault_vector(node, JM_FAULT_CATASTROPHE), event.address);
}

/* ---- boundaries without an instruction ------------------------------------------- */

/* Returns the new FOP1: Rs for the forms that have one, else NIL. */
static JmWord faulting_rs(const JmDecoded *d, JmWord rs) {
    const JmOpInfo *info = jm_op_info(d->op);
    return info->name && jm_form_info(info->form)->has_rs ? rs : JM_NIL;
}

/* Takes the fault that an instruction raised. `fetched`: cycles its fetch cost. A SEND
 * fault starts or continues the wait for room, during which all cycles of the context
 * count as SEND_WAIT. */
static void fault_in_instruction(Node *node, NodeEnv *env, JmFault fault,
                                 uint32_t instruction, JmWord op0, JmWord rs,
                                 uint32_t fetched) {
    const JmWord fop1 = faulting_rs(&env->code[instruction], rs);
    const JmTiming *t = &env->timing;
    if (!node_enter_fault(node, fault, jm_instruction_word(0, instruction), op0, fop1,
                          env->now))
        env->boundary = true;
    if (fault == JM_FAULT_SEND) {
        if (!node_repeats_send(node))
            node->busy_until = env->now;
        node->send_wait |= (uint8_t)(1u << node->running);
    }
    charge(node, JM_CLASS_FAULT + fault, t->base + fetched + t->fault);
}

/* Returns the fault that is due although no instruction raised it; JM_FAULT_COUNT:
 * none. It clears a posted INTERRUPT or DRAMERR; QUEUE stays due as long as the queue
 * is full. */
static JmFault due_fault(Node *node) {
    if (jm_data(node->current->ip) & JM_IP_FAULT)
        return JM_FAULT_COUNT;
    if (node->posted) {
        const JmFault fault = (JmFault)__builtin_ctz(node->posted);
        node->posted &= node->posted - 1;
        return fault;
    }
    return node_queue_full(node) ? JM_FAULT_QUEUE : JM_FAULT_COUNT;
}

/* `attention` disregards the F flag, which holds back faults but not dispatches. */
bool node_attends(const Node *node) {
    if (!node->attention)
        return false;
    const bool fault_mode = (jm_data(node->current->ip) & JM_IP_FAULT) != 0;
    if (!fault_mode && (node->posted || node_queue_full(node)))
        return true;
    return node_can_dispatch(node, 1) || node_can_dispatch(node, 0);
}

/* Reports a fault taken instead of a fetch, or a dispatch (`fault` is JM_FAULT_COUNT).
 */
static void observe_attention(const Node *node, NodeEnv *env, JmFault fault) {
    const Context *context = node->current;
    const uint32_t head = jm_field20(node->priority[node->p].qhl);
    JmEvent event = {.priority = node->p, .fault = fault};
    if (fault == JM_FAULT_COUNT) {
        event.kind = JM_EVENT_DISPATCH;
        event.address = jm_field20(jm_data(context->ip));
        event.word = memory_read(&node->memory, head);
        event.where = head;
        observe(node, env, node->running, event);
        observe_read(node, env, JM_ACCESS_HEADER, head, event.address);
    } else {
        event.address = jm_field20(jm_data(context->fip));
        event.word = JM_NIL;
        if (fault == JM_FAULT_MSG)
            observe_read(node, env, JM_ACCESS_HEADER, head, event.address);
        observe_fault(node, env, node->running, event);
    }
}

void node_dispatch_next(Node *node, NodeEnv *env, unsigned priority) {
    bool faulted;
    node_dispatch(node, priority, &faulted, env->now);
    charge(node, JM_CLASS_DISPATCH, env->timing.dispatch);
}

/* Takes a fault or dispatches a message at a boundary, if I = 0 and one is due. Returns
 * false if the boundary fetches. */
static bool take_attention(Node *node, NodeEnv *env, bool observed) {
    JmFault fault = due_fault(node);
    const bool urgent = node_can_dispatch(node, 1);
    bool runs, msg_fault = false;
    if (fault != JM_FAULT_COUNT) {
        runs = node_enter_fault(node, fault, JM_NIL, JM_NIL, JM_NIL, env->now);
    } else if (urgent || node_can_dispatch(node, 0)) {
        runs = node_dispatch(node, urgent, &msg_fault, env->now);
        fault = msg_fault ? JM_FAULT_MSG : JM_FAULT_COUNT;
    } else {
        return false;
    }
    if (!runs)
        env->boundary = true;
    node_update(node);
    if (fault == JM_FAULT_COUNT)
        charge(node, JM_CLASS_DISPATCH, env->timing.dispatch);
    else
        charge(node, JM_CLASS_FAULT + fault, env->timing.fault);
    if (observed && (runs || fault != JM_FAULT_COUNT))
        observe_attention(node, env, fault);
    return true;
}

/* Puts a node to sleep whose background instruction jumped to itself, until a row
 * arrives or something is changed from outside. Anything that needed attention was
 * refused at this boundary and would be refused at the next. A loop that reads host
 * words stays awake, because they may change by themselves. */
static void fall_asleep(Node *node, NodeEnv *env, bool reads_host, uint32_t period) {
    if (reads_host)
        return;
    node->asleep = true;
    node->rest_ip = jm_data(node->current->ip);
    node->sleep_period = period ? period : 1;
    env->boundary = true;
}

/* Takes a fault that a fetch raised; there is no instruction, so FIR is NIL. */
static void fetch_fault(Node *node, NodeEnv *env, JmFault fault) {
    if (!node_enter_fault(node, fault, JM_NIL, JM_NIL, JM_NIL, env->now))
        env->boundary = true;
    charge(node, JM_CLASS_FAULT + fault, env->timing.fault);
}

/* The result of fetching a word. */
typedef struct {
    JmWord word;
    uint32_t address; /* physical */
    uint32_t cycles;  /* for a row other than the remembered one */
    bool faulted;     /* a fetch fault was taken: */
    JmFault fault;
} Fetch;

/* Checks an IP that is relative to A0 against A0. Returns the fault, or JM_FAULT_COUNT
 * if the word may be fetched. */
static JmFault check_fetch(const Node *node, uint32_t ip) {
    const uint32_t a0 = jm_data(node->current->a[0]);
    if (ip & JM_IP_ABSOLUTE)
        return JM_FAULT_COUNT;
    if (a0 & JM_ADDR_INVALID)
        return JM_FAULT_INVADR;
    const bool beyond = jm_field10(a0) != 0 && jm_field20(ip) >= jm_field10(a0);
    return beyond ? JM_FAULT_LIMIT : JM_FAULT_COUNT;
}

/* Fetches a word from any row and remembers the row. If the row is on chip and the IP
 * absolute, fetch_key is set, so that further fetches from the row compare one
 * number. */
static Fetch fetch_row(Node *node, NodeEnv *env, uint32_t ip) {
    const JmFault fault = check_fetch(node, ip);
    if (fault != JM_FAULT_COUNT) {
        fetch_fault(node, env, fault);
        return (Fetch){.faulted = true, .fault = fault};
    }
    const uint32_t address = node_code_address(node, ip, jm_field20(ip));
    const int32_t row = (int32_t)(address / NODE_ROW_WORDS);
    const bool external = address >= MEMORY_EXTERNAL;
    Fetch fetch = {.word = memory_read(&node->memory, address), .address = address};
    if (row != node->fetch_row)
        fetch.cycles = external ? env->timing.row_external : env->timing.row_onchip;
    node->fetch_row = row;
    node->fetch_key = NODE_NO_KEY;
    if ((ip & JM_IP_ABSOLUTE) && !external) {
        const uint32_t first = address & ~(NODE_ROW_WORDS - 1u);
        node->fetch_key = row_key(ip);
        node->fetch_words =
            memory_page(&node->memory, address) + first % MEMORY_PAGE_WORDS;
    }
    return fetch;
}

/* Executes a word that is not an instruction: it is loaded into R0 (an inline
 * constant), and execution continues at the next word, even from the first half of this
 * one. */
static void inline_constant(Node *node, NodeEnv *env, JmWord word, uint32_t fetched) {
    Context *context = node->current;
    const bool low = (jm_data(context->ip) & JM_IP_PHASE) != 0;
    context->ip = advanced(context->ip, low ? JM_IP_PHASE : 2 * JM_IP_PHASE);
    context->r[0] = word;
    charge(node, JM_CLASS_CONSTANT, env->timing.constant + fetched);
}

/* Returns the class in which an instruction's cycles are counted: SEND_WAIT from a SEND
 * fault of its context to the SEND that succeeds. */
static unsigned class_while_waiting(const Node *node, const Context *context,
                                    unsigned cycle_class) {
    const bool waits = node->send_wait >> (context - node->context) & 1;
    return waits ? JM_CLASS_SEND_WAIT : cycle_class;
}

/* Accounts for an instruction that did not fault. */
ALWAYS_INLINE void complete(Step *s, int outcome, JmWord before, uint32_t fetched) {
    Node *node = s->node;
    unsigned cycle_class = s->d->op_class;
    if (__builtin_expect(node->send_wait != 0, false))
        cycle_class = class_while_waiting(node, s->context, cycle_class);
    const bool loops = outcome == OUTCOME_JUMPED && node->background &&
                       s->d->op != JM_OP_CALL && jm_same(s->context->ip, before);
    node->statistics.instructions += outcome != OUTCOME_STOPPED;
    charge(node, loops ? JM_CLASS_IDLE : cycle_class, s->cycles + fetched);
    if (loops)
        fall_asleep(node, s->env, s->external && is_host_address(s->env, s->address),
                    s->cycles);
    if (outcome == OUTCOME_STOPPED)
        s->env->boundary = true;
}

/* A SEND without room that does not fault: it is tried again in the next cycle. */
static void wait_for_room(Node *node, NodeEnv *env, JmWord before, uint32_t fetched) {
    if (!node_repeats_send(node))
        node->busy_until = env->now;
    node->send_wait |= (uint8_t)(1u << node->running);
    node->current->ip = before;
    node->not_plain = true;
    charge(node, JM_CLASS_SEND_WAIT, env->timing.base + fetched);
}

/* Reports a fault or a SUSPEND. `running` is the context that issued the instruction,
 * because a SUSPEND has left it by now. */
static void observe_after(const Node *node, NodeEnv *env, int outcome, JmWord op0,
                          uint32_t address, uint32_t instruction, unsigned running) {
    JmEvent event = {.address = address,
                     .instruction = instruction,
                     .priority = running == JM_CONTEXT_1};
    if (outcome < OUTCOME_DONE) {
        event.fault = (unsigned)outcome;
        event.word = op0;
        observe_fault(node, env, running, event);
    } else if (outcome == OUTCOME_DONE && env->code[instruction].op == JM_OP_SUSPEND) {
        event.kind = JM_EVENT_SUSPEND;
        observe(node, env, running, event);
    }
}

/* Reports the instruction or inline constant at `ip` that has been executed. */
static void observe_executed(const Node *node, NodeEnv *env, unsigned running,
                             uint32_t ip, uint32_t address, JmWord word) {
    const bool low = (ip & JM_IP_PHASE) != 0;
    if (observes(env, JM_EVENT_EXECUTED))
        observe(node, env, running,
                (JmEvent){.kind = JM_EVENT_EXECUTED,
                          .address = address,
                          .word = word,
                          .low = low,
                          .instruction =
                              jm_is_instruction(word) ? jm_instruction(word, low) : 0,
                          .count = (uint32_t)(node->ready - env->now),
                          .priority = running == JM_CONTEXT_1});
}

/* Reports a fault of the fetch at `ip`. */
static void observe_fetch_fault(const Node *node, NodeEnv *env, unsigned running,
                                uint32_t ip, JmFault fault) {
    observe_fault(node, env, running,
                  (JmEvent){.address = jm_field20(ip),
                            .fault = fault,
                            .priority = running == JM_CONTEXT_1,
                            .word = JM_NIL});
}

/* Reports an instruction that is about to be executed. */
static void observe_issue(const Node *node, NodeEnv *env, unsigned running,
                          uint32_t address, uint32_t instruction) {
    if (observes(env, JM_EVENT_INSTRUCTION))
        observe(node, env, running,
                (JmEvent){.kind = JM_EVENT_INSTRUCTION,
                          .address = address,
                          .instruction = instruction});
}

/* SUSPEND of a task without waiting or pending work. Every task ends with one, so it
 * skips what other instructions need. Returns false, with nothing done, in any other
 * case. */
ALWAYS_INLINE bool ends_task(Node *node, NodeEnv *env, const JmDecoded *d, JmWord next,
                             uint32_t fetched) {
    if (d->op != JM_OP_SUSPEND || node->background || node->send_wait)
        return false;
    Context *context = node->current;
    if (!node_suspend(node, env->now))
        return false;
    context->ip = next;
    node->statistics.instructions++;
    charge(node, JM_CLASS_SUSPEND, env->timing.suspend + fetched);
    return true;
}

/* Handles the outcome of an instruction issued at `before`. */
ALWAYS_INLINE void end_instruction(Step *s, int outcome, JmWord before,
                                   uint32_t instruction, uint32_t fetched) {
    if (__builtin_expect(outcome == OUTCOME_WAITS, false))
        wait_for_room(s->node, s->env, before, fetched);
    else if (__builtin_expect(outcome >= OUTCOME_DONE, true))
        complete(s, outcome, before, fetched);
    else
        fault_in_instruction(s->node, s->env, (JmFault)outcome, instruction, s->op0,
                             s->rs, fetched);
}

/* Executes the boundary that is due. `observed` is a constant of each copy. */
ALWAYS_INLINE void step(Node *node, NodeEnv *env, bool observed) {
    if (node->attention && take_attention(node, env, observed))
        return;
    Context *context = node->current;
    const unsigned running = node->running;
    const JmWord before = context->ip;
    const uint32_t ip = jm_data(before);
    const uint32_t in_row = jm_field20(ip) % NODE_ROW_WORDS;
    uint32_t fetched = 0, address = (uint32_t)node->fetch_row * NODE_ROW_WORDS + in_row;
    JmWord word;
    if (row_key(ip) == node->fetch_key) {
        word = node->fetch_words[in_row];
    } else {
        const Fetch fetch = fetch_row(node, env, ip);
        if (fetch.faulted) {
            if (observed)
                observe_fetch_fault(node, env, running, ip, fetch.fault);
            return;
        }
        word = fetch.word;
        address = fetch.address;
        fetched = fetch.cycles;
    }
    if (__builtin_expect(!jm_is_instruction(word), false)) {
        inline_constant(node, env, word, fetched);
        if (observed)
            observe_executed(node, env, running, ip, address, word);
        return;
    }
    const uint32_t instruction = jm_instruction(word, (ip & JM_IP_PHASE) != 0);
    if (observed)
        observe_issue(node, env, running, address, instruction);
    const JmWord next = advanced(before, JM_IP_PHASE);
    if (!observed && ends_task(node, env, &env->code[instruction], next, fetched))
        return;
    /* Field by field: an initialiser would put the whole Step into memory. */
    Step s;
    s.node = node;
    s.env = env;
    s.context = context;
    s.ip = ip;
    s.checked = !(ip & JM_IP_UNCHECKED);
    s.in_place = false;
    s.d = &env->code[instruction];
    s.rs = context->r[s.d->rs];
    s.op0 = JM_NIL;
    s.external = s.access = s.address = s.cycles = 0;
    context->ip = next;
    Accesses accesses;
    if (observed)
        list_accesses(s, &accesses);
    const int outcome = execute(&s);
    end_instruction(&s, outcome, before, instruction, fetched);
    if (observed) {
        observe_accesses(node, env, &accesses, outcome, address, running);
        if (outcome >= OUTCOME_DONE && outcome < OUTCOME_STOPPED)
            observe_executed(node, env, running, ip, address, word);
        observe_after(node, env, outcome, s.op0, address, instruction, running);
    }
}

__attribute__((hot)) void node_step(Node *node, NodeEnv *env) {
    step(node, env, false);
}

void node_step_observed(Node *node, NodeEnv *env) {
    step(node, env, true);
}
