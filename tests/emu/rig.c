/* The rig of the machine tests. */
#include "tests/emu/rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/asm.h"

/* Programs begin in ROM, at 0x1000. `queues MASK0, MASK1` sets up both queues, empty,
 * at 0x800 and 0xC00, and opens dispatch; `rest` ends a background program. `vector
 * ADDRESS, IP` sets an entry of the fault vectors. `retry` is the body of an unchecked
 * handler that runs the faulting instruction again. `handle_faults` has SEND and EARLY
 * faults handled so, and QUEUE faults by going on in fault mode, so that tasks make
 * room. */
const char rig_prelude[] = "        .equ HOST_EXIT, 0xFFF00\n"
                           "        .equ HOST_PUTC, 0xFFF01\n"
                           "        .equ HOST_PUTW, 0xFFF02\n"
                           "        .equ HOST_MARK, 0xFFF03\n"
                           "        .equ QUEUE0, 0x800\n"
                           "        .equ QUEUE1, 0xC00\n"
                           "        .macro queues mask0, mask1\n"
                           "        .addr QUEUE0, 0\n"
                           "        move r0,qhl\n"
                           "        .addr QUEUE0, \\mask0\n"
                           "        move r0,qbm\n"
                           "        .addr QUEUE1, 0\n"
                           "        move r0,qhl'p\n"
                           "        .addr QUEUE1, \\mask1\n"
                           "        move r0,qbm'p\n"
                           "        move false,r0\n"
                           "        move r0,i\n"
                           "        .endm\n"
                           "        .macro poke register, address\n"
                           "        .word INT:\\address\n"
                           "        move \\register,[r0,a0]\n"
                           "        .endm\n"
                           "        .macro peek address, register\n"
                           "        .word INT:\\address\n"
                           "        move [r0,a0],\\register\n"
                           "        .endm\n"
                           "        .macro retry\n"
                           "        move r0,[8,a0]\n"
                           "        move r1,[9,a0]\n"
                           "        .word INT:0x200\n"
                           "        move fip,r1\n"
                           "        sub r1,r0,r1\n"
                           "        move r1,fip\n"
                           "        move [8,a0],r0\n"
                           "        move [9,a0],r1\n"
                           "        ldipr fip\n"
                           "        .endm\n"
                           "        .macro rest\n"
                           "        .local here\n"
                           "here:   br ^here\n"
                           "        .endm\n"
                           "        .macro vector address, target:vararg\n"
                           "        .vectors\n"
                           "        .org \\address\n"
                           "        .ip \\target\n"
                           "        .rom\n"
                           "        .endm\n"
                           "        .macro handle_faults\n"
                           "        .vectors\n"
                           "        .irp vectors, 0x40, 0x60\n"
                           "        .org \\vectors + 2\n"
                           "        .ip queue_fault, U, F\n"
                           "        .ip send_fault, U\n"
                           "        .org \\vectors + 8\n"
                           "        .ip send_fault, U\n"
                           "        .endr\n"
                           "        .text\n"
                           "queue_fault: move r0,[8,a0]\n"
                           "        move r1,[9,a0]\n"
                           "        .word INT:0x40000000\n"
                           "        move fip,r1\n"
                           "        or r1,r0,r1\n"
                           "        move r1,fip\n"
                           "        move [8,a0],r0\n"
                           "        move [9,a0],r1\n"
                           "        ldipr fip\n"
                           "send_fault: retry\n"
                           "        .rom\n"
                           "        .endm\n"
                           "        .rom\n"
                           "        .org 0x1000\n";

static AsmLinkInput *assemble(const char *source, const AsmOptions *options) {
    AsmResult assembled = asm_assemble(source, strlen(source), "test.s", options);
    cr_assert_eq(assembled.errors, 0, "%s", assembled.diagnostics);
    AsmLinkInput *input = asm_link_input_new();
    asm_link_input_add_object(input, assembled.object, "test.o");
    assembled.object = NULL;
    asm_result_free(&assembled);
    return input;
}

static AsmObject *link_all(AsmLinkInput *input) {
    const AsmLinkOptions nowhere = {0};
    AsmLinkResult linked = asm_link_objects(input, &nowhere);
    cr_assert_eq(linked.errors, 0, "%s", linked.diagnostics);
    AsmObject *image = linked.image;
    linked.image = NULL;
    asm_link_result_free(&linked);
    asm_link_input_free(input);
    return image;
}

static AsmObject *link_alone(const char *source) {
    char *text = malloc(strlen(rig_prelude) + strlen(source) + 1);
    strcpy(text, rig_prelude);
    strcat(text, source);
    AsmLinkInput *input = assemble(text, &(AsmOptions){0});
    free(text);
    return link_all(input);
}

static AsmObject *link_with_kernel(const char *source) {
    const char *build = getenv("BUILD");
    char generated[512], archive[512];
    snprintf(generated, sizeof generated, "%s/gen", build ? build : "build");
    snprintf(archive, sizeof archive, "%s/libkernel.a", build ? build : "build");
    const char *const folders[] = {"kernel", generated};
    AsmLinkInput *input =
        assemble(source, &(AsmOptions){.include_dirs = folders, .include_count = 2});
    JmError error = {0};
    cr_assert(asm_link_input_add_file(input, archive, &error), "%s", error.text);
    return link_all(input);
}

/* Puts an image into all nodes, which share it until they write, and starts them. */
static void load(JmMachine *machine, const AsmObject *image) {
    for (int s = 0; s < image->section_count; s++) {
        const AsmObjectSection *section = &image->sections[s];
        for (uint32_t k = 0; section->words && k < section->size; k++)
            jm_write_all(machine, (uint32_t)section->address + k, section->words[k]);
    }
    for (unsigned node = 0; node < jm_node_count(machine); node++)
        jm_start(machine, node);
}

static void keep_output(void *context, const char *bytes, size_t count) {
    Rig *rig = context;
    const size_t length = strlen(rig->output);
    rig->output = realloc(rig->output, length + count + 1);
    memcpy(rig->output + length, bytes, count);
    rig->output[length + count] = '\0';
}

/* Starts an image, which is the rig's from now on, on a machine, which is too. */
static Rig *start(JmMachine *machine, AsmObject *image) {
    Rig *rig = calloc(1, sizeof *rig);
    rig->machine = machine;
    rig->image = image;
    load(rig->machine, rig->image);
    rig->output = calloc(1, 1);
    jm_set_output(rig->machine, keep_output, rig);
    return rig;
}

Rig *rig_open_with(const JmConfig *config, const char *source) {
    JmError error;
    JmMachine *machine = jm_create(config, &error);
    cr_assert_not_null(machine, "%s", error.text);
    return start(machine, link_alone(source));
}

Rig *rig_open_kernel(const JmConfig *config, const char *source) {
    JmError error;
    JmMachine *machine = jm_create(config, &error);
    return machine ? start(machine, link_with_kernel(source)) : NULL;
}

Rig *rig_open(unsigned x, unsigned y, unsigned z, const char *source) {
    JmConfig config = jm_config_default();
    config.size_x = x;
    config.size_y = y;
    config.size_z = z;
    return rig_open_with(&config, source);
}

void rig_configure(JmConfig *config, const Setting *settings) {
    JmError error;
    for (; settings->name; settings++)
        cr_assert(jm_config_set(config, settings->name, settings->value, &error), "%s",
                  error.text);
}

Rig *rig_set(unsigned x, const char *source, const Setting *settings) {
    JmConfig config = jm_config_default();
    config.size_x = x;
    rig_configure(&config, settings);
    return rig_open_with(&config, source);
}

void rig_close(Rig *rig) {
    jm_destroy(rig->machine);
    asm_object_free(rig->image);
    free(rig->log.event);
    free(rig->output);
    free(rig);
}

static bool note(void *context, const JmEvent *event) {
    RigLog *log = context;
    if (log->count == log->room) {
        log->room = 2 * log->room + 64;
        log->event = realloc(log->event, log->room * sizeof *log->event);
    }
    log->event[log->count++] = *event;
    return false;
}

void rig_log(Rig *rig, uint32_t kinds) {
    jm_observe(rig->machine, kinds, note, &rig->log);
}

unsigned rig_count(const Rig *rig, JmEventKind kind, unsigned node) {
    unsigned count = 0;
    for (unsigned k = 0; k < rig->log.count; k++)
        count += rig->log.event[k].kind == kind && rig->log.event[k].node == node;
    return count;
}

const JmEvent *rig_event(const Rig *rig, JmEventKind kind, unsigned node, unsigned n) {
    for (unsigned k = 0; k < rig->log.count; k++) {
        const JmEvent *event = &rig->log.event[k];
        if (event->kind == kind && event->node == node && n-- == 0)
            return event;
    }
    cr_assert_fail("no such event: kind %d at node %u", (int)kind, node);
    return NULL;
}

uint32_t rig_address(const Rig *rig, const char *name) {
    const AsmObjectSymbol *symbol = asm_object_symbol(rig->image, name);
    cr_assert_not_null(symbol, "%s", name);
    return (uint32_t)symbol->value;
}

JmWord rig_word(const Rig *rig, unsigned node, const char *symbol, uint32_t offset) {
    return jm_read(rig->machine, node, rig_address(rig, symbol) + offset);
}

void rig_set_word(Rig *rig, unsigned node, const char *symbol, JmWord word) {
    jm_write(rig->machine, node, rig_address(rig, symbol), word);
}

JmNodeStatistics rig_statistics(const Rig *rig, unsigned node) {
    JmNodeStatistics statistics;
    jm_node_statistics(rig->machine, node, &statistics);
    return statistics;
}

static void add_row(void *context, const char *row) {
    char **text = context;
    const size_t length = strlen(*text), more = strlen(row);
    *text = realloc(*text, length + more + 2);
    memcpy(*text + length, row, more);
    memcpy(*text + length + more, "\n", 2);
}

char *rig_explanation(const Rig *rig) {
    char *text = calloc(1, 1);
    jm_explain(rig->machine, add_row, &text);
    return text;
}

bool rig_tells(const Rig *rig, const char *part) {
    char *text = rig_explanation(rig);
    const bool found = strstr(text, part) != NULL;
    free(text);
    return found;
}

void rig_expect_told(const Rig *rig, const char *part) {
    char *text = rig_explanation(rig);
    cr_expect_not_null(strstr(text, part), "no \"%s\" in:\n%s", part, text);
    free(text);
}

RigFile rig_file(const JmMachine *machine) {
    enum { SIZE_MAX_BYTES = 1 << 22 };
    char path[] = "/tmp/jm-rig-XXXXXX";
    JmError error;
    RigFile saved = {.bytes = malloc(SIZE_MAX_BYTES)};
    close(mkstemp(path));
    cr_assert(jm_save(machine, path, &error), "%s", error.text);
    FILE *file = fopen(path, "rb");
    saved.size = fread(saved.bytes, 1, SIZE_MAX_BYTES, file);
    fclose(file);
    unlink(path);
    return saved;
}

void rig_reload(Rig *rig) {
    JmMachine *copy = rig_copy(rig->machine);
    jm_destroy(rig->machine);
    rig->machine = copy;
}

bool rig_same_file(const RigFile *a, const RigFile *b) {
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

JmMachine *rig_copy(const JmMachine *machine) {
    JmError error;
    RigFile file = rig_file(machine);
    JmMachine *copy =
        jm_load_saved_memory(file.bytes, file.size, "file", "auto", &error);
    cr_assert_not_null(copy, "%s", error.text);
    free(file.bytes);
    return copy;
}

void rig_run(Rig *rig, uint64_t until_cycle, JmStop expected) {
    const JmStop stop = jm_run(rig->machine, until_cycle);
    if (stop == expected)
        return;
    char *why = rig_explanation(rig);
    cr_assert_fail("%s at cycle %llu, expected %s\n%s", jm_stop_name(stop),
                   (unsigned long long)jm_now(rig->machine), jm_stop_name(expected),
                   why);
}

void rig_go_on(Rig *rig, uint64_t cycles) {
    rig_run(rig, jm_now(rig->machine) + cycles, JM_STOP_NONE);
}

JmStop rig_run_in_slices(Rig *rig, uint64_t until_cycle, uint64_t slice) {
    JmStop stop = JM_STOP_NONE;
    while (stop == JM_STOP_NONE && jm_now(rig->machine) < until_cycle) {
        const uint64_t left = until_cycle - jm_now(rig->machine);
        stop =
            jm_run(rig->machine, jm_now(rig->machine) + (left < slice ? left : slice));
    }
    return stop;
}
