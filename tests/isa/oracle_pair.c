/* Machine and oracle in step. */
#include "tests/isa/oracle_pair.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAULTS = 0x13, STOP_PATIENCE = 200 };

uint32_t pair_vector(unsigned priority, unsigned fault) {
    return 0x800 + 0x80 * priority + 4 * fault;
}

static JmMachine *machine_with(const OracleTiming *t) {
    JmConfig config = jm_config_default();
    JmError error;
    config.host_page = false;
    config.timing = (JmTiming){.base = t->base,
                               .read_onchip = t->read_onchip,
                               .write_onchip = t->write_onchip,
                               .external = t->external,
                               .suspend = t->suspend,
                               .jump = t->jump,
                               .row_onchip = t->row_onchip,
                               .row_external = t->row_external,
                               .xlate = t->xlate,
                               .dispatch = t->dispatch,
                               .fault = t->fault,
                               .constant = t->constant};
    JmMachine *machine = jm_create(&config, &error);
    if (!machine)
        abort();
    jm_start(machine, 0);
    return machine;
}

Pair *pair_create(const OracleTiming *timing) {
    Pair *pair = calloc(1, sizeof *pair);
    const OracleTiming standard = oracle_timing_default();
    pair->oracle = oracle_create();
    pair->oracle->timing = timing ? *timing : standard;
    pair->machine = machine_with(&pair->oracle->timing);
    for (unsigned priority = 0; priority < 2; priority++) {
        for (unsigned fault = 0; fault < FAULTS; fault++) {
            pair_write(pair, 0x40 + 0x20 * priority + fault,
                       jm_ip(pair_vector(priority, fault), JM_IP_ABSOLUTE));
        }
    }
    return pair;
}

void pair_destroy(Pair *pair) {
    if (pair) {
        jm_destroy(pair->machine);
        oracle_destroy(pair->oracle);
        free(pair);
    }
}

void pair_renew(Pair **pair) {
    const OracleTiming timing = (*pair)->oracle->timing;
    pair_destroy(*pair);
    *pair = pair_create(&timing);
}

void pair_write(Pair *pair, uint32_t address, JmWord word) {
    jm_write(pair->machine, 0, address, word);
    oracle_write(pair->oracle, address, word);
}

void pair_set(Pair *pair, unsigned context, unsigned n, JmWord word) {
    jm_set_register(pair->machine, 0, (JmContext)context, (JmReg)n, word);
    oracle_set_register(pair->oracle, context, context % 2, n, word);
}

void pair_set_running(Pair *pair, unsigned context) {
    pair_set(pair, 0, ORACLE_REG_P, jm_bool(context == 1));
    pair_set(pair, 0, ORACLE_REG_B, jm_bool(context == ORACLE_BACKGROUND));
}

void pair_adopt(Pair *pair) {
    Oracle *oracle = pair->oracle;
    oracle->mar = jm_data(jm_register(pair->machine, 0, JM_CONTEXT_0, JM_REG_MAR));
    for (unsigned priority = 0; priority < 2; priority++)
        oracle->context[priority].active = jm_task_active(pair->machine, 0, priority);
    oracle_forget(oracle);
}

static bool trouble(Pair *pair, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool trouble(Pair *pair, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(pair->trouble, sizeof pair->trouble, format, arguments);
    va_end(arguments);
    return false;
}

static bool compare_register(Pair *pair, unsigned context, unsigned n) {
    const JmWord is = jm_register(pair->machine, 0, (JmContext)context, (JmReg)n);
    const JmWord expected = oracle_register(pair->oracle, context, context % 2, n);
    return jm_same(is, expected) ||
           trouble(pair, "%s of context %u is %09llX, expected %09llX", jm_reg_name(n),
                   context, (unsigned long long)is.bits,
                   (unsigned long long)expected.bits);
}

static bool compare_context(Pair *pair, unsigned context) {
    for (unsigned n = 0; n <= ORACLE_REG_IP; n++) {
        const bool of_priority = n == ORACLE_REG_QBM || n == ORACLE_REG_QHL;
        if (of_priority && context == ORACLE_BACKGROUND)
            continue;
        if (!compare_register(pair, context, n))
            return false;
    }
    return context == ORACLE_BACKGROUND ||
           compare_register(pair, context, ORACLE_REG_Q);
}

static bool compare_memory(Pair *pair) {
    Oracle *oracle = pair->oracle;
    for (unsigned k = 0; k < oracle->written_count; k++) {
        const uint32_t address = oracle->written[k];
        const JmWord is = jm_read(pair->machine, 0, address);
        const JmWord expected = oracle_read(oracle, address);
        if (!jm_same(is, expected)) {
            return trouble(pair, "memory %05X is %09llX, expected %09llX", address,
                           (unsigned long long)is.bits,
                           (unsigned long long)expected.bits);
        }
    }
    oracle_forget(oracle);
    return true;
}

bool pair_compare(Pair *pair) {
    static const unsigned of_node[] = {ORACLE_REG_P,   ORACLE_REG_B,   ORACLE_REG_I,
                                       ORACLE_REG_TBM, ORACLE_REG_NNR, ORACLE_REG_MAR};
    for (unsigned k = 0; k < sizeof of_node / sizeof of_node[0]; k++)
        if (!compare_register(pair, 0, of_node[k]))
            return false;
    for (unsigned context = 0; context < ORACLE_CONTEXTS; context++)
        if (!compare_context(pair, context))
            return false;
    for (unsigned priority = 0; priority < 2; priority++) {
        const bool is = jm_task_active(pair->machine, 0, priority);
        if (is != pair->oracle->context[priority].active)
            return trouble(pair, "task %u active: %d", priority, is);
    }
    return compare_memory(pair);
}

/* The action at a boundary, as text. */
static void describe(char *text, size_t size, const OracleStep *step, uint32_t ip) {
    static const char *const acts[] = {"INTERRUPT",   "QUEUE fault", "dispatch",
                                       "MSG fault",   "fetch fault", "constant",
                                       "instruction", "fault",       "stop"};
    char code[64] = "";
    if (step->act >= ORACLE_DID_INSTRUCTION)
        jm_disassemble(step->instruction, code, sizeof code);
    snprintf(text, size, "%s at %05X, cost %u, fault %d: %05X %s", acts[step->act], ip,
             step->cycles, step->fault, step->instruction, code);
}

/* Appends the step to the first disagreement: a wrong cost shows only at the boundary
 * after the one to blame. */
static bool explain(Pair *pair, const char *step) {
    const size_t length = strlen(pair->trouble);
    snprintf(pair->trouble + length, sizeof pair->trouble - length,
             "\n  after %s\n  before it %s", step, pair->previous);
    return false;
}

static bool run_machine(Pair *pair, const OracleStep *step) {
    const uint64_t now = jm_now(pair->machine);
    if (step->act == ORACLE_DID_STOP) {
        pair->ended = true;
        const JmStop stop = jm_run(pair->machine, now + STOP_PATIENCE);
        return stop == JM_STOP_STOPPED ||
               trouble(pair, "%s, expected to stop", jm_stop_name(stop));
    }
    const JmStop stop = jm_run(pair->machine, now + step->cycles);
    if (stop == JM_STOP_IDLE || stop == JM_STOP_DEADLOCK) {
        pair->ended = true;
        return pair->oracle->b || trouble(pair, "sleeps, but not in background");
    }
    return stop == JM_STOP_NONE || stop == JM_STOP_LIMIT ||
           trouble(pair, "stopped: %s", jm_stop_name(stop));
}

bool pair_step(Pair *pair, OracleStep *step) {
    const Oracle *oracle = pair->oracle;
    const uint32_t ip = jm_field20(jm_data(oracle->context[oracle_running(oracle)].ip));
    char text[sizeof pair->previous];
    *step = oracle_step(pair->oracle);
    describe(text, sizeof text, step, ip);
    if (!run_machine(pair, step))
        return explain(pair, text);
    if (step->act != ORACLE_DID_STOP && !pair_compare(pair))
        return explain(pair, text);
    memcpy(pair->previous, text, sizeof text);
    return true;
}

bool pair_steps(Pair *pair, unsigned count) {
    OracleStep step;
    for (unsigned k = 0; k < count && !pair->ended; k++)
        if (!pair_step(pair, &step))
            return false;
    return true;
}

uint32_t pair_data(JmRng *rng) {
    static const uint32_t interesting[] = {
        0,          1,          2,          3,          4,          7,
        15,         16,         31,         32,         33,         64,
        0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFE1, 0xFFFFFFE0, 0xFFFFFFDF, 0x7FFFFFFF,
        0x80000000, 0x80000001, 0xC0000000, 0x40000000, 0x0000FFFF, 0xFFFF0000,
        0x000FFFFF, 0x00010000, 0xAAAAAAAA, 0x55555555};
    const uint32_t count = sizeof interesting / sizeof interesting[0];
    const uint64_t draw = jm_rng_next(rng);
    return draw & 1 ? interesting[(draw >> 8) % count] : (uint32_t)(draw >> 32);
}

JmWord pair_word(JmRng *rng) {
    return jm_word(jm_rng_below(rng, 16), pair_data(rng));
}

void pair_random_registers(Pair *pair, JmRng *rng) {
    for (unsigned context = 0; context < ORACLE_CONTEXTS; context++)
        for (unsigned n = ORACLE_REG_R0; n <= ORACLE_REG_FOP1; n++)
            pair_set(pair, context, n, pair_word(rng));
}
