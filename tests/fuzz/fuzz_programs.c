/* Fuzzes message-passing programs: the reader of their text, the converter of records,
 * and both engines, which must end in the same cycle.
 *
 * Input: a byte, a topology, or 'r' for records; then a text. A refusal has line and
 * column; an accepted text is written and read again. */
#include "net/programs/replay.h"
#include "net/topology/topology.h"
#include "tests/fuzz/fuzz.h"

enum { NODES = 64, MOST_BYTES = 20000, MOST_OPS = 400, MOST_CYCLES = 30000 };

typedef struct {
    char *text;
    size_t size;
} Text;

static void expect_place(const JmError *error) {
    if (!error->text[0] || error->line < 1 || error->column < 1)
        stop("refused without a word, or without its place", error->text);
}

static bool write_line(void *context, const char *line) {
    return fprintf(context, "%s\n", line) > 0;
}

static Text text_of(const NetPrograms *programs) {
    Text text = {.text = NULL};
    FILE *out = open_text(&text.text, &text.size);
    if (!net_programs_write(programs, write_line, out))
        stop("cannot be written", "");
    fclose(out);
    return text;
}

/* The programs that their text gives; what is written of these is the same. */
static NetPrograms *read_again(NetPrograms *programs) {
    JmError error = {.text = ""};
    Text first = text_of(programs);
    NetPrograms *again = net_programs_read("again", first.text, first.size, &error);
    if (!again)
        stop("what is written is refused", error.text);
    Text second = text_of(again);
    if (first.size != second.size || memcmp(first.text, second.text, first.size) != 0)
        stop("what is written is read as something else", "");
    free(first.text);
    free(second.text);
    net_programs_destroy(programs);
    return again;
}

/* Few enough to run flit by flit. */
static bool is_small(const NetPrograms *programs) {
    uint64_t bytes = 0;
    const uint32_t count = programs->start[programs->nodes];
    for (uint32_t i = 0; i < count; i++)
        if (programs->ops[i].kind == NET_OP_SEND ||
            programs->ops[i].kind == NET_OP_POST)
            bytes += programs->ops[i].amount;
    return programs->nodes <= NODES && count <= MOST_OPS && bytes <= MOST_BYTES;
}

static bool run(const NetPrograms *programs, const char *topology,
                NetReplayEngine engine, NetReplayFigures *figures, JmError *error) {
    NetParams params = net_params_default();
    if (!net_specification_params(topology, &params, error))
        stop(topology, error->text);
    params.ties = 1;
    params.start_words = 1;
    const NetReplay replay = {.programs = programs,
                              .topology = topology,
                              .params = &params,
                              .times = {.setup = 3, .accept = 2, .packet = 4},
                              .engine = engine,
                              .seed = 1,
                              .most_cycles = MOST_CYCLES};
    return net_replay(&replay, figures, NULL, error);
}

static void compare(const NetPrograms *programs, const char *topology) {
    NetReplayFigures flits, worms;
    JmError why_flits = {.text = ""}, why_worms = {.text = ""};
    const bool good = run(programs, topology, NET_REPLAY_FLITS, &flits, &why_flits);
    if (good != run(programs, topology, NET_REPLAY_WORMS, &worms, &why_worms))
        stop("one engine says that all wait", good ? why_worms.text : why_flits.text);
    if (!good) {
        expect_place(&why_flits);
        if (strcmp(why_flits.text, why_worms.text) != 0 ||
            why_flits.line != why_worms.line || why_flits.column != why_worms.column)
            stop("other programs wait", why_worms.text);
    } else if (flits.complete != worms.complete ||
               (flits.complete &&
                (flits.cycles != worms.cycles || flits.messages != worms.messages ||
                 flits.packets != worms.packets))) {
        stop("the engines end in different cycles", "");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const topologies[] = {
        "clos=4x4",
        "clos=4x4,places=2",
        "clos=4x4,places=16",
        "clos=2x2,levels=2,places=4,layer=random",
        "clos=2x2,levels=2,layer=idle_fixed",
        "torus=8x8,ends=0,places=3",
    };
    enum { TOPOLOGIES = sizeof topologies / sizeof topologies[0] };
    JmError error = {.text = ""};
    if (size == 0)
        return 0;
    const char *text = (const char *)data + 1;
    NetPrograms *programs =
        data[0] == 'r'
            ? net_programs_convert("records", text, size - 1, NODES, 4, &error)
            : net_programs_read("programs", text, size - 1, &error);
    if (!programs) {
        expect_place(&error);
        return 0;
    }
    programs = read_again(programs);
    if (is_small(programs))
        compare(programs, topologies[data[0] % TOPOLOGIES]);
    net_programs_destroy(programs);
    return 0;
}
