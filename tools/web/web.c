/* The functions of web.h: options and program as jm sets them up, and the debugger. */
#include "tools/web/web.h"

#include <stdio.h>
#include <stdlib.h>

#include "emu/debug/debug.h"
#include "emu/jm.h"
#include "tools/host/host.h"
#include "tools/jm/commands.h"
#include "tools/jm/options/options.h"
#include "tools/jm/setup.h"
#include "tools/web/wasm/page.h"

/* A machine that the page shows. */
struct Web {
    RunOptions options;
    JmMachine *machine;
    JmDebug *debug;
    double deadline; /* of the current command, by web_clock() */
    uint32_t *view;  /* of web_look() */
    uint32_t *words; /* of web_words() */
};

enum { WORDS_MOST = 1 << 16, COLUMNS = 100 };

/* ---- a whole run ----------------------------------------------------------------- */

int web_command(int argc, char **argv) {
    const int status = command_run(argc, argv);
    fflush(stdout);
    return status;
}

/* ---- a machine under the debugger ------------------------------------------------ */

static void write_text(void *context, const char *text, size_t length) {
    (void)context;
    fwrite(text, 1, length, stdout);
}

static bool is_late(void *context) {
    const Web *web = context;
    return web_clock() > web->deadline;
}

static double seconds(void *context) {
    (void)context;
    return web_clock() / 1000;
}

static bool set_up(Web *web, int argc, char **argv, JmError *error) {
    if (!options_parse(&web->options, NULL, NULL, argc, argv, error))
        return false;
    web->machine = setup_machine(&web->options, error);
    if (!web->machine)
        return false;
    const JmDebugHost host = {.context = web,
                              .write = write_text,
                              .guest = write_text,
                              .interrupted = is_late,
                              .clock = seconds,
                              .columns = COLUMNS};
    web->debug = jm_debug_create(web->machine, &host);
    web->view = calloc(jm_node_count(web->machine), WEB_FIELDS * sizeof *web->view);
    return (web->debug && web->view) ||
           jm_fail(error, web->options.program, "out of memory");
}

Web *web_open(int argc, char **argv) {
    Web *web = calloc(1, sizeof *web);
    JmError error;
    if (!web)
        return NULL;
    if (set_up(web, argc, argv, &error))
        return web;
    host_report(&error);
    web_close(web);
    return NULL;
}

void web_close(Web *web) {
    if (!web)
        return;
    jm_debug_destroy(web->debug);
    jm_destroy(web->machine);
    options_free(&web->options);
    free(web->view);
    free(web->words);
    free(web);
}

bool web_do(Web *web, const char *line, double milliseconds) {
    web->deadline = web_clock() + milliseconds;
    const bool good = jm_debug_do(web->debug, line);
    fflush(stdout);
    return good;
}

char *web_complete(const Web *web, const char *line, size_t start, unsigned index) {
    return jm_debug_complete(web->debug, line, start, index);
}

/* ---- looking --------------------------------------------------------------------- */

double web_now(const Web *web) {
    return (double)jm_now(web->machine);
}

unsigned web_nodes(const Web *web) {
    return jm_node_count(web->machine);
}

unsigned web_size(const Web *web, unsigned dimension) {
    const JmConfig *config = jm_config(web->machine);
    const unsigned size[] = {config->size_x, config->size_y, config->size_z};
    return dimension < sizeof size / sizeof *size ? size[dimension] : 0;
}

static uint32_t flits_of(const JmMachine *machine, unsigned node) {
    uint64_t flits = 0;
    for (unsigned dimension = 0; dimension < 3; dimension++)
        flits += jm_link_flits(machine, node, dimension, true) +
                 jm_link_flits(machine, node, dimension, false);
    return (uint32_t)flits;
}

static void look_at(const JmMachine *machine, unsigned node, uint32_t *field) {
    JmNodeStatistics s;
    jm_node_statistics(machine, node, &s);
    const JmWord qbm = jm_register(machine, node, JM_CONTEXT_0, JM_REG_QBM);
    field[WEB_QUEUE0] = jm_queue_words(machine, node, 0);
    field[WEB_QUEUE1] = jm_queue_words(machine, node, 1);
    field[WEB_SIZE0] = jm_field10(jm_data(qbm)) + 1;
    field[WEB_SEND_FAULTS] = (uint32_t)s.faults[JM_FAULT_SEND];
    field[WEB_OVERFLOWS] = (uint32_t)(s.overflows[0] + s.overflows[1]);
    field[WEB_FLITS] = flits_of(machine, node);
    field[WEB_TASKS] = (uint32_t)jm_task_active(machine, node, 0) |
                       (uint32_t)jm_task_active(machine, node, 1) << 1;
    field[WEB_INSTRUCTIONS] = (uint32_t)s.instructions;
}

const uint32_t *web_look(Web *web) {
    for (unsigned node = 0; node < jm_node_count(web->machine); node++)
        look_at(web->machine, node, &web->view[node * WEB_FIELDS]);
    return web->view;
}

int32_t web_symbol(const Web *web, const char *name) {
    uint32_t address;
    return jm_symbol_word(web->machine, name, &address) ? (int32_t)address : -1;
}

const uint32_t *web_words(Web *web, unsigned node, uint32_t address, uint32_t count) {
    if (node >= jm_node_count(web->machine) || count > WORDS_MOST ||
        address > JM_ADDRESS_MASK || count > JM_ADDRESS_MASK + 1 - address)
        return NULL;
    uint32_t *words = realloc(web->words, (count + 1) * 2 * sizeof *words);
    if (!words)
        return NULL;
    web->words = words;
    for (uint32_t i = 0; i < count; i++) {
        const JmWord word = jm_read(web->machine, node, address + i);
        words[2 * i] = jm_tag(word);
        words[2 * i + 1] = (uint32_t)jm_data(word);
    }
    return words;
}
