/* Assembler, linker, disassembler and objects with every request for memory failing. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "asm/objects/archive.h"
#include "tests/memory/failing.h"

static const char first[] = "        .include \"inner.inc\"\n"
                            "        .extern other, far\n"
                            "        .global main\n"
                            "        .macro  twice what\n"
                            "        .word   \\what, \\what\n"
                            "        .endm\n"
                            "        .data\n"
                            "table:  twice   INT:SIZE\n"
                            "        .word   INT:other, INT:VALUE\n"
                            "        .space  40\n"
                            "        .rom\n"
                            "        .org    0x1000\n"
                            "main:   add     r0,1,r0\n"
                            "        .rept   3\n"
                            "        move    [1,a1],r2\n"
                            "        .endr\n"
                            "        .if     SIZE > 2\n"
                            "        br      ^main\n"
                            "        .endif\n"
                            "1:      br      ^1b\n";
static const char second[] = "        .global other, far\n"
                             "far = 77\n"
                             "        .data\n"
                             "other:  .word   INT:5\n";
static const char wrong[] = "main:   add     r0\n"
                            "        .macro  bad\n"
                            "        nonsense\n"
                            "        .endm\n"
                            "        bad\n"
                            "        .warning \"said\"\n";
static const AsmFile inner = {"inner.inc", "SIZE = 3\n", 9};
static const char *const defines[] = {"VALUE=9", "PLAIN"};
static const AsmOptions options = {.files = &inner,
                                   .file_count = 1,
                                   .defines = defines,
                                   .define_count = 2,
                                   .listing = true};

static AsmObject *assemble(const char *text) {
    AsmResult result = asm_assemble(text, strlen(text), "own.s", &options);
    cr_assert(result.object || !result.diagnostics, "%s", result.diagnostics);
    AsmObject *object = result.object;
    result.object = NULL;
    asm_result_free(&result);
    return object;
}

/* The errors of the source are reported, or lack of memory is. */
static bool work_diagnose(void) {
    AsmResult result = asm_assemble(wrong, sizeof wrong - 1, "own.s", &options);
    const bool told = result.diagnostics != NULL;
    cr_expect_null(result.object);
    cr_expect_eq(result.errors, told ? 2 : 1);
    cr_expect(!told || (strstr(result.diagnostics, "nonsense") &&
                        strstr(result.diagnostics, "said")));
    asm_result_free(&result);
    return told;
}

FAILING(work_diagnose, 20, errors_are_told)

static bool work_file(void) {
    AsmResult result = asm_assemble_file("/nowhere/own.s", NULL);
    const bool told = result.diagnostics != NULL;
    cr_expect_eq(result.errors, 1);
    asm_result_free(&result);
    return told;
}

static bool work_read(void) {
    const AsmFile rom = {"mdp.inc", "ROM = 0x1000\n", 13};
    AsmResult result = asm_assemble_file("tests/cli/programs/loop.s",
                                         &(AsmOptions){.files = &rom, .file_count = 1});
    const bool read = result.object != NULL;
    cr_expect(read || !result.diagnostics || strstr(result.diagnostics, "memory"), "%s",
              result.diagnostics);
    asm_result_free(&result);
    return read;
}

FAILING(work_read, 20, a_file)

FAILING(work_file, 3, a_file_that_is_not_there)

static bool work_assemble(void) {
    AsmObject *object = assemble(first);
    asm_object_free(object);
    return object != NULL;
}

FAILING(work_assemble, 50, assembler)

/* An index is whole, with all messages of the source, or there is none. */
static bool work_index(void) {
    const AsmFile open = {"tests/cli/programs/loop.s", "OPEN = 1\n", 9};
    static const char text[] = " .include \"tests/cli/programs/loop.s\"\n .macro m a\n"
                               " move \\a, OPEM\n .endm\n m r0\n";
    AsmResult result =
        asm_assemble(text, sizeof text - 1, "own.s",
                     &(AsmOptions){.index = true, .open = &open, .open_count = 1});
    const AsmIndex *index = result.index;
    cr_expect_eq(index != NULL, result.diagnostics != NULL);
    cr_expect(!index || (index->file_count == 2 && index->message_count == 2 &&
                         index->macro_count == 1 && index->use_count > 3));
    const bool made = index != NULL;
    asm_result_free(&result);
    return made;
}

FAILING(work_index, 30, index)

static bool work_index_unread(void) {
    AsmResult result =
        asm_assemble_file("/nowhere/own.s", &(AsmOptions){.index = true});
    const bool made = result.index != NULL;
    cr_expect(!made || (result.index->message_count == 1 &&
                        strstr(result.index->messages[0].text, "cannot open")));
    asm_result_free(&result);
    return made;
}

FAILING(work_index_unread, 5, index_of_no_file)

/* The input of the work of a test: a global, because work has no argument. */
static struct {
    AsmObject *one;
    char archive[1 << 14]; /* an archive of one member, another object */
    size_t archive_size;
    FILE *nowhere;
} made;

static void make_objects(void) {
    JmError error = {.text = ""};
    size_t size;
    AsmObject *object = assemble(second);
    void *bytes = asm_object_bytes(object, "two.o", &size, &error);
    cr_assert(bytes && size + 68 < sizeof made.archive);
    made.archive_size = (size_t)snprintf(made.archive, sizeof made.archive,
                                         "!<arch>\n%-16s%-12d%-6d%-6d%-8d%-10zu`\n",
                                         "two.o/", 0, 0, 0, 644, size);
    memcpy(made.archive + made.archive_size, bytes, size);
    made.archive_size += size;
    free(bytes);
    asm_object_free(object);
    made.one = assemble(first);
}

static void free_objects(void) {
    asm_object_free(made.one);
}

static AsmObject *copy_of_one(JmError *error) {
    size_t size;
    void *bytes = asm_object_bytes(made.one, "one.o", &size, error);
    AsmObject *copy =
        bytes ? asm_object_read_memory(bytes, size, "one.o", error) : NULL;
    free(bytes);
    return copy;
}

static bool work_copy(void) {
    JmError error = {.text = ""};
    AsmObject *copy = copy_of_one(&error);
    if (copy)
        cr_expect_eq(copy->symbol_count, made.one->symbol_count);
    asm_object_free(copy);
    return failing_told(copy, &error);
}

FAILING(work_copy, 40, objects, .init = make_objects, .fini = free_objects)

static bool work_link(void) {
    JmError error = {.memory = true};
    AsmLinkInput *input = asm_link_input_new();
    AsmObject *copy = input ? copy_of_one(&error) : NULL;
    bool well = copy && (asm_link_input_add_object(input, copy, "one.o") ||
                         (copy = NULL, false));
    well = well && asm_link_input_add_memory(input, made.archive, made.archive_size,
                                             "two.a", &error);
    AsmLinkResult result = {0};
    if (failing_told(well, &error)) {
        result = asm_link_objects(input, NULL);
        cr_expect(result.image || !result.diagnostics, "%s", result.diagnostics);
        cr_expect_eq(result.errors, result.image ? 0 : 1);
    }
    well = result.image != NULL;
    asm_link_result_free(&result);
    asm_link_input_free(input);
    return well;
}

FAILING(work_link, 100, linker, .init = make_objects, .fini = free_objects)

/* Undefined symbols and sections that are too long are reported. */
static bool work_link_wrong(void) {
    AsmLinkInput *input = asm_link_input_new();
    AsmObject *object = input ? copy_of_one(&(JmError){0}) : NULL;
    AsmLinkResult result = {0};
    if (object && asm_link_input_add_object(input, object, "one.o"))
        result = asm_link_objects(input, NULL);
    const bool told = result.diagnostics != NULL;
    cr_expect_null(result.image);
    cr_expect(!told || strstr(result.diagnostics, "undefined symbol 'other'"));
    asm_link_result_free(&result);
    asm_link_input_free(input);
    return told;
}

FAILING(work_link_wrong, 100, errors_of_the_linker, .init = make_objects,
        .fini = free_objects)

static bool work_show(void) {
    char *map = asm_link_map(made.one);
    const bool mapped = map != NULL;
    free(map);
    return mapped && asm_disassemble(made.one, NULL, made.nowhere);
}

Test(memory, map_and_disassembly, .init = make_objects) {
    JmError error = {.text = ""};
    AsmLinkInput *input = asm_link_input_new();
    asm_link_input_add_object(input, made.one, "one.o");
    cr_assert(asm_link_input_add_memory(input, made.archive, made.archive_size, "two.a",
                                        &error));
    AsmLinkResult result = asm_link_objects(input, NULL);
    made.one = result.image;
    made.nowhere = fopen("/dev/null", "w");
    cr_assert(made.one && made.nowhere);
    cr_expect_gt(failing_everywhere(work_show), 20);
    asm_link_result_free(&result);
    asm_link_input_free(input);
    fclose(made.nowhere);
}
