/* Processors and message-passing programs with every request for memory failing. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/programs/replay.h"
#include "net/traffic/processors.h"
#include "tests/memory/failing.h"

/* The input of the work of a test: a global, because work has no argument. */
static struct {
    NetReplayEngine engine;
    NetProgramKind kind;
    bool channels;
} made;

static void expect_text(const JmError *error, const char *text) {
    cr_expect_str_eq(error->text, text);
}

/* ---- processors ------------------------------------------------------------------ */

/* More simultaneous messages than the table of carried ones initially has places. */
static bool work_processors(void) {
    const NetParams params = net_params_default();
    const NetProcessorsPlan plan = {.load = 30,
                                    .hops = 2,
                                    .words = 4,
                                    .handler = 8,
                                    .imbalance = 1,
                                    .queue = {1000, 1000}};
    Net *net = net_create_mesh(4, 4, 1, &params, NULL);
    if (!net)
        return false;
    JmError error = {.text = ""};
    NetProcessors *processors = net_processors_create(net, &plan, &error);
    if (!processors)
        expect_text(&error, "no memory for processors");
    NetProcessorsState state = NET_PROCESSORS_STARVED;
    if (processors)
        state = net_processors_run(processors, 100000);
    cr_expect(state == NET_PROCESSORS_STARVED || state == NET_PROCESSORS_DONE);
    if (processors && state == NET_PROCESSORS_STARVED)
        cr_expect_lt(net_processors_counts(processors).cycles, 2000);
    net_processors_destroy(processors);
    net_destroy(net);
    return state == NET_PROCESSORS_DONE;
}

FAILING(work_processors, 20, processors)

/* ---- programs -------------------------------------------------------------------- */

static bool work_generate(void) {
    const NetProgramPlan plan = {
        .kind = made.kind, .nodes = 16, .bytes = 9, .rounds = 9, .to = 1};
    JmError error = {.text = "none"};
    NetPrograms *programs = net_programs_generate(&plan, &error);
    expect_text(&error, programs ? "none" : "no memory for the programs of 16 nodes");
    net_programs_destroy(programs);
    return programs != NULL;
}

Test(memory, programs_generated) {
    for (unsigned kind = 0; kind <= NET_PROGRAM_SHIFTED; kind++) {
        made.kind = (NetProgramKind)kind;
        cr_expect_gt(failing_everywhere(work_generate), 3);
    }
}

/* Lines of text are more operations than a table has places at first. */
enum { LINES = 600 };

static bool work_read(void) {
    static char text[LINES * 20];
    size_t size = (size_t)snprintf(text, sizeof text, "programs 1\nnodes 2\nnode 1\n");
    for (unsigned i = 0; i < LINES; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "post 0 %u\n", i + 1);
    JmError error = {.text = "none"};
    NetPrograms *programs = net_programs_read("p.txt", text, size, &error);
    expect_text(&error, programs ? "none" : "no memory for its programs");
    cr_expect(programs || strcmp(error.file, "p.txt") == 0);
    net_programs_destroy(programs);
    return programs != NULL;
}

static bool work_convert(void) {
    static char text[LINES * 80];
    size_t size = 0;
    for (unsigned i = 0; i < LINES; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size,
                                 "%u 0 0 send - - p0 #%u INT:0 2\n", i, i);
        size += (size_t)snprintf(text + size, sizeof text - size,
                                 "%u 1 0 arrive - - p0 #%u\n", i + 9, i);
    }
    JmError error = {.text = "none"};
    NetPrograms *programs = net_programs_convert("r.txt", text, size, 2, 4, &error);
    expect_text(&error, programs ? "none" : "no memory for its programs");
    cr_expect(programs || strcmp(error.file, "r.txt") == 0);
    net_programs_destroy(programs);
    return programs != NULL;
}

Test(memory, programs_read) {
    cr_expect_gt(failing_everywhere(work_read), 6);
    cr_expect_gt(failing_everywhere(work_convert), 10);
}

static bool work_replay(void) {
    const NetProgramPlan plan = {
        .kind = NET_PROGRAM_SHIFTED, .nodes = 16, .bytes = 200, .rounds = 1};
    NetParams params = net_params_default();
    JmError error = {.text = "none"};
    cr_assert(net_specification_params("clos=2x2", &params, &error));
    NetPrograms *programs = net_programs_generate(&plan, &error);
    if (!programs)
        return false;
    const NetReplay replay = {.programs = programs,
                              .topology = "clos=2x2",
                              .params = &params,
                              .engine = made.engine,
                              .most_cycles = 1000000};
    NetReplayFigures figures;
    NetReplayChannels channels = {0};
    const bool well =
        net_replay(&replay, &figures, made.channels ? &channels : NULL, &error);
    failing_told(well, &error);
    cr_expect(!well || figures.complete);
    cr_expect_eq(channels.items != NULL, well && made.channels);
    free(channels.items);
    net_programs_destroy(programs);
    return well;
}

Test(memory, programs_run, .timeout = 600) {
    for (unsigned i = 0; i < 4; i++) {
        made.engine = i % 2 ? NET_REPLAY_WORMS : NET_REPLAY_FLITS;
        made.channels = i / 2;
        cr_expect_gt(failing_everywhere(work_replay), 20);
    }
}
