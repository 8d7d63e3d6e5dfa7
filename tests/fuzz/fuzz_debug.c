/* Fuzzes the debugger's command line: lines of text, on a machine of four nodes that
 * throw messages to each other. A byte from 0x80 on stands for a word of a dictionary
 * that is made of the table of commands, so that random bytes are random commands with
 * random arguments. Nothing may crash; a command that fails must leave the machine as
 * it was; and at the end a journey to the beginning and back must find the same state.
 * Commands that touch files are left out.
 */
#include "emu/debug/debug.h"
#include "tests/fuzz/fuzz.h"

enum {
    CYCLES_MAX = 2000,
    ASKS_MAX = 300,  /* whether to stop, by one command */
    ASKS_ALL = 1200, /* and by all of an input */
    LINES_MAX = 20,
    WORD_BYTE = 0x80, /* the first that stands for a word */
    WORDS = 256 - WORD_BYTE
};

/* ball (00100) adds 1 to word 1 of its message and sends that to the neighbour in X,
 * until it is 0. On SEND and EARLY faults `again` (00106) tries again. boot (01000)
 * makes queue 0 of 32 words at 00800, sends -12 twice to the neighbour, clears I and
 * rests. All are at rest after some 500 cycles. */
static const char image[] = "* 00043 4C0041900\n* 00048 4C0041900\n"
                            "* 00100 C148E5AA1\n* 00101 FE1461C14\n"
                            "* 00102 DAA420000\n* 00103 500040003\n"
                            "* 00104 F6005B881\n* 00105 F00000000\n"
                            "* 00106 C30180B20\n* 00107 D15465801\n"
                            "* 00108 C60483800\n"
                            "* 01000 300200000\n* 01001 C40220000\n"
                            "* 01002 30020001F\n* 01003 C40200BB4\n"
                            "* 01004 C3828D521\n* 01005 500040003\n"
                            "* 01006 F6005B881\n* 01007 F6005B881\n"
                            "* 01008 C1012201A\n* 01009 F8C7E0000\n";

/* ---- words ----------------------------------------------------------------------- */

static const char header[] = "MSG(0x100,3)", huge[] = "18446744073709551616";
static const char *const arguments[] = {
    "0",       "1",        "2",       "3",      "-1",    "99",   "0x100",
    "0x101",   "0x801",    "$r1",     "$ip",    "$a3",   "$_",   "$qhl.0",
    "[0x801]", "[$a3+1]",  "=",       "+",      "(",     ")",    "@1",
    "on",      "if",       "after",   "all",    "*,*,0", "0-2",  "1,1,0",
    header,    "NIL",      "word",    "length", "drop",  "wire", "queue",
    "task",    "blocked",  "stopped", "wrote",  "from",  "+X",   "-Y",
    "fault",   "dispatch", "send",    "hex",    "true",  "\n",   huge};

/* The word that a byte stands for: commands first, arguments after them. */
static const char *word_of(unsigned byte) {
    enum { ARGUMENTS = sizeof arguments / sizeof *arguments };
    const unsigned index = byte - WORD_BYTE;
    unsigned commands = 0;
    while (jm_debug_command(commands))
        commands++;
    if (index < commands)
        return jm_debug_command(index)->name;
    return arguments[(index - commands) % ARGUMENTS];
}

/* The input as text, to be freed. */
static char *text_of(const uint8_t *data, size_t size) {
    enum { LONGEST = 24 };
    char *text = malloc(size * LONGEST + 1), *at = text;
    if (!text)
        abort();
    for (size_t i = 0; i < size; i++) {
        if (data[i] < WORD_BYTE)
            *at++ = (char)data[i];
        else
            at += sprintf(at, " %s ", word_of(data[i]));
    }
    *at = '\0';
    return text;
}

/* ---- the debugger's world -------------------------------------------------------- */

typedef struct {
    const JmMachine *machine;
    unsigned asks, all_asks;
    bool patient;
} World;

static void ignore_text(void *context, const char *text, size_t length) {
    (void)context;
    (void)text;
    (void)length;
}

/* Runs must end: the debugger asks ever so often whether to stop. */
static bool is_enough(void *context) {
    World *world = context;
    return !world->patient &&
           (++world->asks > ASKS_MAX || ++world->all_asks > ASKS_ALL ||
            jm_now(world->machine) > CYCLES_MAX);
}

/* Leaves out commands that touch files, and those that might not end. */
static bool is_allowed(const char *line) {
    static const char *const left_out[] = {"so", "rec", "tr", "sa", "sv", "al", "co"};
    line += strspn(line, " \t\r\v\f");
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strncmp(line, left_out[i], strlen(left_out[i])) == 0)
            return strncmp(line, "con", 3) == 0;
    return true;
}

/* ---- the machine's state --------------------------------------------------------- */

static uint64_t mixed(uint64_t sum, uint64_t value) {
    return (sum ^ value) * UINT64_C(0x100000001B3);
}

/* The memory that the program and the words of the dictionary name. */
static uint64_t memory_of(const JmMachine *machine, unsigned node, uint64_t sum) {
    static const struct {
        uint32_t first, end;
    } parts[] = {{0x40, 0x4A}, {0x100, 0x10A}, {0x800, 0x820}, {0x1000, 0x100A}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (uint32_t a = parts[i].first; a < parts[i].end; a++)
            sum = mixed(sum, jm_read(machine, node, a).bits);
    return sum;
}

static uint64_t state_of(const JmMachine *machine) {
    uint64_t sum = jm_now(machine);
    JmNetworkStatistics network;
    jm_network_statistics(machine, &network);
    sum = mixed(sum, network.flits_injected);
    sum = mixed(sum, network.flits_ejected);
    for (unsigned node = 0; node < jm_node_count(machine); node++) {
        sum = memory_of(machine, node, sum);
        for (unsigned i = 0; i < 3 * JM_REG_COUNT; i++)
            if (jm_reg_name(i / 3))
                sum = mixed(
                    sum, jm_register(machine, node, (JmContext)(i % 3), (JmReg)(i / 3))
                             .bits);
        for (unsigned p = 0; p < 2; p++)
            sum = mixed(sum, jm_queue_words(machine, node, p));
    }
    return sum;
}

/* ---- a session ------------------------------------------------------------------- */

static void do_line(JmDebug *debug, World *world, const char *line) {
    const uint64_t before = state_of(world->machine);
    world->asks = 0;
    if (!jm_debug_do(debug, line) && state_of(world->machine) != before)
        stop("failed, but has changed the machine", line);
}

static void do_lines(JmDebug *debug, World *world, const char *text) {
    int status;
    for (unsigned i = 0; i < LINES_MAX && *text && !jm_debug_has_quit(debug, &status);
         i++) {
        const size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        if (!line)
            abort();
        if (is_allowed(line))
            do_line(debug, world, line);
        free(jm_debug_complete(debug, line, length / 2, i));
        free(line);
        text += length + (text[length] == '\n');
    }
}

/* To the beginning and back, past all stops. */
static void travel(JmDebug *debug, World *world) {
    const uint64_t now = jm_now(world->machine), before = state_of(world->machine);
    char back[64];
    if (now >= CYCLES_MAX)
        return;
    world->patient = true;
    snprintf(back, sizeof back, "goto %llu", (unsigned long long)now);
    jm_debug_do(debug, "delete");
    jm_debug_do(debug, "option time-travel on");
    jm_debug_do(debug, "goto 0");
    jm_debug_do(debug, back);
    if (jm_now(world->machine) != now || state_of(world->machine) != before)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Again made;
    JmConfig config = jm_config_default();
    config.size_x = config.size_y = 2;
    config.engine = "graph"; /* quicker than the other on four nodes */
    JmMachine *machine = again(&made, &config, image);
    World world = {.machine = machine};
    const JmDebugHost host = {.context = &world,
                              .write = ignore_text,
                              .guest = ignore_text,
                              .interrupted = is_enough};
    JmDebug *debug = jm_debug_create(machine, &host);
    char *text = text_of(data, size);
    do_lines(debug, &world, text);
    travel(debug, &world);
    free(text);
    jm_debug_destroy(debug);
    again_back(&made);
    return 0;
}
