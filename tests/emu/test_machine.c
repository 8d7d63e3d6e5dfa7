/* Machines: sizes, and memory use. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/emu/rig.h"

static JmMachine *create(unsigned x, unsigned y, unsigned z, JmError *error) {
    JmConfig config = jm_config_default();
    config.size_x = x;
    config.size_y = y;
    config.size_z = z;
    return jm_create(&config, error);
}

Test(emu_machine, sizes) {
    static const struct {
        unsigned x, y, z;
        bool fits;
    } sizes[] = {{1, 1, 1, true},   {32, 1, 1, true},   {1, 32, 1, true},
                 {1, 1, 64, true},  {0, 1, 1, false},   {1, 0, 1, false},
                 {1, 1, 0, false},  {33, 1, 1, false},  {1, 33, 1, false},
                 {1, 1, 65, false}, {~0u, 1, 1, false}, {65536, 65536, 1, false}};
    for (unsigned k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        JmError error = {.text = ""};
        JmMachine *machine = create(sizes[k].x, sizes[k].y, sizes[k].z, &error);
        cr_expect_eq(machine != NULL, sizes[k].fits, "size %u", k);
        cr_expect(sizes[k].fits || strlen(error.text) > 0);
        if (machine)
            cr_expect_eq(jm_node_count(machine), sizes[k].x * sizes[k].y * sizes[k].z);
        jm_destroy(machine);
    }
}

/* Loads a rig's image, of which its machine has only the words. */
static void load_image(Rig *rig) {
    size_t size;
    JmError error;
    void *image = asm_object_bytes(rig->image, "image", &size, &error);
    cr_assert(jm_load_elf(rig->machine, image, size, "image", 0, &error), "%s",
              error.text);
    free(image);
}

/* The name and the offset of a place are cut off where the buffer ends. */
Test(emu_machine, names_of_places_fit_their_buffer) {
    Rig *rig = rig_open(1, 1, 1,
                        "        .global somewhere\n"
                        "somewhere:\n"
                        "        .word   INT:1, INT:2, INT:3, INT:4\n"
                        "main:   suspend\n");
    static const char whole[] = "somewhere+3";
    load_image(rig);
    const uint32_t place = rig_address(rig, "somewhere") + 3;
    for (size_t size = 1; size <= sizeof whole + 1; size++) {
        char buffer[32];
        memset(buffer, 'x', sizeof buffer);
        cr_expect_eq(jm_symbol_at(rig->machine, place, buffer, size), buffer);
        const size_t length = size < sizeof whole ? size - 1 : sizeof whole - 1;
        cr_expect_eq(strlen(buffer), length, "room for %zu", size);
        cr_expect_eq(memcmp(buffer, whole, length), 0, "room for %zu", size);
        for (size_t i = length + 1; i < sizeof buffer; i++)
            cr_expect_eq(buffer[i], 'x', "room for %zu, place %zu", size, i);
    }
    rig_close(rig);
}

/* Places of labels that share a name, as files may do; eight of them are shown. */
static void expect_places(unsigned labels) {
    enum { SHOWN = 8, MOST = 5 };
    char source[500] = "        .data\n", wanted[300] = "", text[300];
    int line = 2;
    for (unsigned i = 0; i < labels; i++)
        sprintf(source + strlen(source), "here%u: .word INT:0\n", i);
    for (const char *at = rig_prelude; *at; at++)
        line += *at == '\n';
    Rig *rig = rig_open(1, 1, 1, source);
    const uint32_t first = rig_address(rig, "here0");
    for (int i = 0; i < rig->image->symbol_count; i++)
        if (strncmp(rig->image->symbols[i].name, "here", 4) == 0)
            rig->image->symbols[i].name[4] = '\0';
    load_image(rig);
    for (unsigned i = 0; i < labels && i < SHOWN; i++)
        sprintf(wanted + strlen(wanted), "%s%05X (test.s:%u)", i ? ", " : "",
                (unsigned)first + i, (unsigned)line + i);
    strcat(wanted, labels > SHOWN ? ", ..." : "");
    JmSymbolPlace places[MOST + 1] = {[MOST] = {.value = 77}};
    cr_expect_eq(jm_symbol_places(rig->machine, "here", places, MOST), labels);
    for (unsigned i = 0; i < labels && i < MOST; i++)
        cr_expect(places[i].value == first + i && places[i].line == line + (int)i);
    cr_expect_eq(places[MOST].value, 77u);
    for (size_t size = 1; size <= sizeof text; size += size < 40 ? 1 : 13) {
        char cut[sizeof text];
        snprintf(cut, size, "%s", wanted);
        cr_expect_str_eq(jm_symbol_places_text(rig->machine, "here", text, size), cut,
                         "room for %zu", size);
    }
    cr_expect_str_eq(jm_symbol_places_text(rig->machine, "here", text, sizeof text),
                     wanted);
    cr_expect_str_eq(jm_symbol_places_text(rig->machine, "there", text, sizeof text),
                     "");
    rig_close(rig);
}

Test(emu_machine, places_of_a_name) {
    for (unsigned labels = 1; labels <= 12; labels++)
        expect_places(labels);
}

/* Only global names of words are walked, and all of them. */
Test(emu_machine, names_of_words) {
    Rig *rig = rig_open(1, 1, 1,
                        "        .global one, three, four, five, six\n"
                        "        .equ four, 0x123\n"
                        "        .equ six, -6\n"
                        "        .data\n"
                        "one:    .word INT:1\n"
                        "two:    .word INT:2\n"
                        "three:  .word INT:3\n"
                        "five:   .word INT:5\n");
    load_image(rig);
    const char *const names[] = {"one", "three", "five"};
    unsigned seen = 0, count = 0;
    for (const char *name; (name = jm_symbol_name(rig->machine, count)); count++)
        for (unsigned i = 0; i < 3; i++)
            seen |= strcmp(name, names[i]) == 0 ? 1u << i : 0;
    cr_expect_eq(count, 3u);
    cr_expect_eq(seen, 7u);
    uint32_t value;
    cr_expect(jm_symbol(rig->machine, "four", &value) && value == 0x123);
    cr_expect_not(jm_symbol_word(rig->machine, "four", &value));
    cr_expect(jm_symbol_word(rig->machine, "two", &value));
    cr_expect_eq(value, rig_address(rig, "one") + 1);
    cr_expect(jm_symbol(rig->machine, "six", &value) && value == (uint32_t)-6);
    cr_expect_not(jm_symbol(rig->machine, "seven", &value));
    cr_expect_not(jm_symbol_word(rig->machine, "six", &value));
    cr_expect_eq(value, (uint32_t)-6, "nothing is written");
    cr_expect_str_eq(jm_source_name(rig->machine, 0), "test.s");
    cr_expect_null(jm_source_name(rig->machine, 1));
    cr_expect_str_eq(jm_program_name(rig->machine), "image");
    rig_close(rig);
}

Test(emu_machine, positions) {
    JmError error;
    unsigned x, y, z;
    JmMachine *machine = create(3, 4, 5, &error);
    for (unsigned node = 0; node < 60; node++) {
        jm_node_position(machine, node, &x, &y, &z);
        cr_expect_eq(x + 3 * (y + 4 * z), node);
        cr_expect(x < 3 && y < 4 && z < 5);
    }
    jm_destroy(machine);
}

/* All 2^20 words of a node are there and read NIL until written. */
Test(emu_machine, untouched_memory_reads_nil) {
    JmError error;
    JmMachine *machine = create(2, 1, 1, &error);
    for (uint32_t address = 0; address < 1 << 20; address += 1021)
        cr_expect(jm_same(jm_read(machine, 1, address), JM_NIL), "%05X", address);
    jm_write(machine, 1, 0xFFFFF, jm_int(5));
    jm_write(machine, 1, 0x1000, jm_int(6)); /* from outside ROM can be written */
    cr_expect(jm_same(jm_read(machine, 1, 0xFFFFF), jm_int(5)));
    cr_expect(jm_same(jm_read(machine, 1, 0x1000), jm_int(6)));
    cr_expect(jm_same(jm_read(machine, 0, 0xFFFFF), JM_NIL));
    cr_expect(jm_same(jm_read(machine, 1, 0xFFFFE), JM_NIL));
    jm_destroy(machine);
}

static double peak_megabytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* Memory checkers multiply what a process holds: the limits are for plain builds. */
static bool memory_is_checked(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return true;
#else
    return false;
#endif
#else
    return false;
#endif
}

/* Each test of Criterion is a process of its own, so that its peak is its own. */
Test(emu_machine, idle_nodes_cost_little_memory) {
    JmError error;
    JmMachine *machine = create(32, 32, 32, &error);
    cr_assert_not_null(machine, "%s", error.text);
    cr_expect_eq(jm_run(machine, 1000), JM_STOP_IDLE);
    cr_expect(memory_is_checked() || peak_megabytes() < 2048, "%.0f MB",
              peak_megabytes());
    jm_destroy(machine);
}

/* 512 nodes, each with code, queues of 512 and 128 words, and tasks that send. */
Test(emu_machine, working_nodes_cost_little_memory) {
    Rig *rig = rig_open(8, 8, 8,
                        "        queues 511, 127\n"
                        "        move nnr,r1\n"
                        "        .msg step,2,U\n"
                        "        send2 r1,r0,0\n"
                        "        sende r1,0\n"
                        "        rest\n"
                        "        .text\n"
                        "step:   move [1,a3],r1\n"
                        "        .word INT:0x14C3\n"
                        "        xor r1,r0,r1\n"
                        "        send r1,0\n"
                        "        send2e [0,a3],r1,0\n"
                        "        suspend\n");
    rig_run(rig, 20000, JM_STOP_NONE);
    cr_expect_gt(rig_statistics(rig, 300).dispatches[0], 50u);
    cr_expect(memory_is_checked() || peak_megabytes() < 100, "%.0f MB",
              peak_megabytes());
    rig_close(rig);
}
