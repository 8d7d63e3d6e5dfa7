/* Loading: words for all nodes and for one, over each other. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/core/outfile.h"
#include "tests/emu/rig.h"

static JmMachine *machine_of(unsigned x) {
    JmConfig config = jm_config_default();
    JmError error;
    config.size_x = x;
    return jm_create(&config, &error);
}

static void load(JmMachine *machine, const char *text) {
    JmError error;
    cr_assert(jm_load_text(machine, text, strlen(text), "rows", &error), "%s",
              error.text);
}

static uint32_t value(const JmMachine *machine, unsigned node, uint32_t address) {
    return jm_data(jm_read(machine, node, address));
}

/* On chip and outside: a node keeps its own words, and all get what is for all. */
Test(emu_regress_load, all_and_one) {
    static const uint32_t pages[] = {0x400, 0x1200, 0x4000};
    for (unsigned k = 0; k < 3; k++) {
        JmMachine *machine = machine_of(3);
        const uint32_t at = pages[k];
        char text[200];
        snprintf(text, sizeof text, "1 %X 100000001\n* %X 100000002\n1 %X 100000003\n",
                 at, at + 1, at + 2);
        load(machine, text);
        snprintf(text, sizeof text, "* %X 100000004\n* %X 100000005\n", at + 1, at + 3);
        load(machine, text);
        jm_write_all(machine, at + 4, jm_int(6));
        for (unsigned node = 0; node < 3; node++) {
            cr_expect_eq(value(machine, node, at), node == 1 ? 1u : 0u);
            cr_expect_eq(value(machine, node, at + 1), 4u);
            cr_expect_eq(value(machine, node, at + 2), node == 1 ? 3u : 0u);
            cr_expect_eq(value(machine, node, at + 3), 5u);
            cr_expect_eq(value(machine, node, at + 4), 6u);
        }
        jm_destroy(machine);
    }
}

/* A node's writes to a shared page stay its own. */
Test(emu_regress_load, written_pages_are_private) {
    JmMachine *machine = machine_of(2);
    load(machine, "* 500 100000001\n* 4500 100000001\n");
    jm_write(machine, 0, 0x500, jm_int(7));
    jm_write(machine, 0, 0x4500, jm_int(7));
    load(machine, "* 501 100000002\n* 4501 100000002\n");
    for (uint32_t at = 0x500; at <= 0x4500; at += 0x4000) {
        cr_expect_eq(value(machine, 0, at), 7u);
        cr_expect_eq(value(machine, 1, at), 1u);
        cr_expect_eq(value(machine, 0, at + 1), 2u);
        cr_expect_eq(value(machine, 1, at + 1), 2u);
    }
    jm_destroy(machine);
}

/* An image loaded again clears its fill sections, and nothing else. */
Test(emu_regress_load, fill_sections_are_cleared) {
    char path[] = "/tmp/jm-regress-XXXXXX";
    JmError error;
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    Rig *rig = rig_open(2, 1, 1,
                        "        rest\n"
                        "        .section room,external,fill\n"
                        "        .global room\n"
                        "room:   .space 1200\n");
    JmMachine *machine = rig->machine;
    const uint32_t room = rig_address(rig, "room");
    size_t size;
    void *image = asm_object_bytes(rig->image, path, &size, &error);
    cr_assert(image && jm_outfile_write(path, image, size, NULL, &error), "%s",
              error.text);
    free(image);
    jm_write(machine, 1, room + 1100, jm_int(1));
    jm_write(machine, 1, room + 1199, jm_int(1));
    jm_write(machine, 1, room + 1200, jm_int(2));
    jm_write_all(machine, room + 3, jm_int(3));
    cr_expect(jm_load_file(machine, path, 0, &error), "%s", error.text);
    cr_expect(jm_same(jm_read(machine, 0, room + 3), JM_NIL));
    cr_expect_eq(value(machine, 1, room + 3), 3u);
    cr_expect(jm_load_file(machine, path, JM_ALL_NODES, &error), "%s", error.text);
    cr_expect(jm_same(jm_read(machine, 1, room + 3), JM_NIL));
    cr_expect(jm_same(jm_read(machine, 1, room + 1100), JM_NIL));
    cr_expect(jm_same(jm_read(machine, 1, room + 1199), JM_NIL), "its last word");
    cr_expect_eq(value(machine, 1, room + 1200), 2u);
    rig_close(rig);
    close(file);
    unlink(path);
}

static void set_time(const char *path, time_t seconds) {
    const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* Makes `source` the first of two sources of an image; the other one is nowhere. */
static void name_sources(AsmObject *image, const char *source) {
    cr_assert_eq(image->file_count, 1);
    image->files = realloc(image->files, 2 * sizeof *image->files);
    image->files[1] = image->files[0];
    image->files[0] = strdup(source);
    image->file_count = 2;
}

/* A source is newer than a program in memory if it was written after that was loaded,
 * also if it was loaded with its machine. */
Test(emu_regress_load, sources_of_programs_in_memory) {
    char source[] = "/tmp/jm-regress-XXXXXX";
    JmError error;
    size_t size;
    close(mkstemp(source));
    Rig *rig = rig_open(1, 1, 1, "        rest\n");
    name_sources(rig->image, source);
    void *image = asm_object_bytes(rig->image, "image", &size, &error);
    for (unsigned saved = 0; saved < 2; saved++) {
        set_time(source, 1000);
        JmMachine *machine = machine_of(1);
        cr_assert(jm_load_elf(machine, image, size, "image", 0, &error), "%s",
                  error.text);
        if (saved) {
            JmMachine *other = rig_copy(machine);
            jm_destroy(machine);
            machine = other;
        }
        cr_expect_not(jm_source_is_newer(machine, source), "saved: %u", saved);
        set_time(source, 1001);
        cr_expect(jm_source_is_newer(machine, source), "saved: %u", saved);
        jm_destroy(machine);
    }
    free(image);
    rig_close(rig);
    unlink(source);
}

/* Words for all nodes are seen by all, by those that sleep on them too, and by those
 * that have their row in hand. */
Test(emu_regress_load, code_for_all_nodes) {
    for (unsigned busy = 0; busy < 2; busy++) {
        Rig *rig = rig_open(3, 1, 1,
                            busy ? "here:   nop\n"
                                   "        br ^here\n"
                                   "        suspend\n"
                                   "        nop\n"
                                 : "here:   br ^here\n"
                                   "        nop\n"
                                   "        suspend\n"
                                   "        nop\n");
        jm_run(rig->machine, 100);
        const JmWord suspend = jm_read(rig->machine, 0, 0x1001);
        JmCheckpoint *holder = jm_checkpoint(rig->machine); /* so pages are copied */
        jm_run(rig->machine, 150);
        jm_write_all(rig->machine, 0x1000, suspend);
        jm_run(rig->machine, 200);
        for (unsigned node = 0; node < 3; node++)
            cr_expect_eq(rig_statistics(rig, node).cycles[JM_CLASS_SUSPEND] > 0, true,
                         "node %u, busy %u", node, busy);
        jm_checkpoint_free(holder);
        rig_close(rig);
    }
}
