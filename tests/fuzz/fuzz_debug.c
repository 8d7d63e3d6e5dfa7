/* Fuzzes the debugger's commands: lines of text, on a machine of four nodes with a
 * small image. Nothing may crash, and after any command a journey to the beginning and
 * back must find the same state. Commands that touch files are left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debug.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CYCLES_MAX = 20000, LINES_MAX = 40, MEMORY_CHECKED = 0x400 };

/* Node 0 counts at 01000: add r1,1,r1; br -1. */
static const char image[] = "* 00200 10000002A\n"
                            "* 00040 400400100\n";

static void ignore_text(void *context, const char *text, size_t length) {
    (void)context;
    (void)text;
    (void)length;
}

/* Runs must end: the machine is asked ever so often, and gives up. */
static bool is_enough(void *context) {
    const JmMachine *machine = context;
    return jm_now(machine) > CYCLES_MAX;
}

static bool is_allowed(const char *line) {
    static const char *const left_out[] = {"so", "rec", "tr", "op", "al", "run",
                                           "cy", "c1",  "go", "g ", "u",  "t"};
    line += strspn(line, " \t");
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strncmp(line, left_out[i], strlen(left_out[i])) == 0)
            return false;
    return true;
}

static uint64_t sum(const JmMachine *machine) {
    uint64_t sum = jm_now(machine);
    for (unsigned node = 0; node < jm_node_count(machine); node++) {
        for (uint32_t a = 0; a < MEMORY_CHECKED; a++)
            sum = sum * 31 + jm_read(machine, node, a).bits;
        for (unsigned r = 0; r < 4; r++)
            sum = sum * 31 + jm_register(machine, node, JM_CONTEXT_BACKGROUND,
                                         (JmReg)(JM_REG_R0 + r))
                                 .bits;
    }
    return sum;
}

static void do_lines(Debug *debug, const char *text) {
    int status;
    for (unsigned i = 0; i < LINES_MAX && *text && !debug_has_quit(debug, &status);
         i++) {
        const size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        if (!line)
            abort();
        if (is_allowed(line))
            debug_do(debug, line);
        free(debug_complete(debug, line, length / 2, i));
        free(line);
        text += length + (text[length] == '\n');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    JmConfig config = jm_config_default();
    JmError error;
    config.size_x = config.size_y = 2;
    JmMachine *machine = jm_create(&config, &error);
    if (!machine || !jm_load_text(machine, image, strlen(image), "image", &error))
        abort();
    const DebugHost host = {.context = machine,
                            .write = ignore_text,
                            .guest = ignore_text,
                            .interrupted = is_enough};
    Debug *debug = debug_create(machine, &host);
    char *text = strndup((const char *)data, size);
    if (!text)
        abort();
    do_lines(debug, text);
    debug_do(debug, "end");
    debug_do(debug, "delete");
    const uint64_t now = jm_now(machine), before = sum(machine);
    char back[64];
    snprintf(back, sizeof back, "goto %llu", (unsigned long long)now);
    if (now < CYCLES_MAX) {
        debug_do(debug, "goto 0");
        debug_do(debug, back);
        if (jm_now(machine) == now && sum(machine) != before)
            abort();
    }
    free(text);
    debug_destroy(debug);
    jm_destroy(machine);
    return 0;
}
