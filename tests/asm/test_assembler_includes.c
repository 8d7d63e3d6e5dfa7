/* Files that the assembler includes: from memory and from folders. Folders alone are in
 * tests/recorded/asm-source.cases, names of one file in asm-odd.cases. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/asm/assembling.h"

/* ---- memory ---------------------------------------------------------------------- */

#define MEMORY(name, text)                                                             \
    { name, text, sizeof(text) - 1 }

/* Assembles a text that may include these files. */
static AsmResult assemble_memory(const char *source) {
    static const AsmFile files[] = {MEMORY("a.inc", " .include \"b.inc\"\n .word 1\n"),
                                    MEMORY("b.inc", " .word 2\n"),
                                    MEMORY("self.inc", "\n .include \"self.inc\"\n"),
                                    MEMORY("bad.inc", " frob\n")};
    return asm_assemble(source, strlen(source), "t.s",
                        &(AsmOptions){.files = files, .file_count = 4});
}

/* Files in memory include each other by name, and are called by it in messages. */
Test(includes, includes_from_memory) {
    AsmResult result = assemble_memory(" .include \"a.inc\"\n .include \"b.inc\"\n");
    cr_assert_not_null(result.object, "%s", result.diagnostics);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect(jm_same(word_of(result.object, ".text", i), jm_int(i == 1 ? 1 : 2)));
    cr_assert_eq(result.object->file_count, 2);
    cr_expect_str_eq(result.object->files[0], "b.inc");
    asm_result_free(&result);

    result = assemble_memory(" .include \"self.inc\"\n");
    cr_expect_str_eq(result.diagnostics,
                     "self.inc:2:11: error: recursive include of 'self.inc'\n"
                     " .include \"self.inc\"\n          ^\n"
                     "t.s:1:11: note: included from here\n");
    asm_result_free(&result);

    result = assemble_memory(" .include \"bad.inc\"\n");
    cr_expect_not_null(strstr(result.diagnostics, "bad.inc:1:2: error: unknown"));
    asm_result_free(&result);
    result = assemble_memory(" .include \"a.in\"\n");
    cr_expect_not_null(strstr(result.diagnostics, "cannot find the file 'a.in'"));
    asm_result_free(&result);
}

/* ---- folders --------------------------------------------------------------------- */

/* A folder with files for .include; `text` with names and texts in turn, up to NULL. */
static void make_folder(char *folder, const char *const *text) {
    cr_assert(mkdtemp(folder));
    for (; *text; text += 2) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, text[0]);
        FILE *out = fopen(path, "w");
        cr_assert_not_null(out);
        fputs(text[1], out);
        fclose(out);
    }
}

static AsmResult assemble_file(const char *folder, const char *name,
                               const AsmOptions *options) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return asm_assemble_file(path, options);
}

static void remove_folder(const char *folder) {
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

/* A file that includes itself is found by whatever name. */
Test(includes, a_file_within_itself_by_another_name) {
    char folder[] = "/tmp/jm-test-XXXXXX", path[256];
    make_folder(folder,
                (const char *const[]){"main.s", "\n .include \"same.s\"\n", NULL});
    snprintf(path, sizeof path, "%s/same.s", folder);
    cr_assert_eq(symlink("main.s", path), 0);
    AsmResult result = assemble_file(folder, "main.s", &(AsmOptions){0});
    cr_expect_not_null(strstr(result.diagnostics, "main.s:2:11: error: recursive"),
                       "%s", result.diagnostics);
    asm_result_free(&result);
    remove_folder(folder);
}

/* A folder comes before memory, but not for what files in memory include. */
Test(includes, folders_come_before_memory) {
    char folder[] = "/tmp/jm-test-XXXXXX";
    make_folder(folder, (const char *const[]){
                            "main.s", " .include \"a.inc\"\n .include \"b.inc\"\n",
                            "b.inc", " .word 9\n", NULL});
    static const AsmFile files[] = {MEMORY("a.inc", " .include \"b.inc\"\n"),
                                    MEMORY("b.inc", " .word 2\n")};
    const char *const dirs[] = {folder};
    AsmResult result = assemble_file(
        folder, "main.s",
        &(AsmOptions){
            .include_dirs = dirs, .include_count = 1, .files = files, .file_count = 2});
    cr_assert_not_null(result.object, "%s", result.diagnostics);
    cr_expect(jm_same(word_of(result.object, ".text", 0), jm_int(2)));
    cr_expect(jm_same(word_of(result.object, ".text", 1), jm_int(9)));
    asm_result_free(&result);
    remove_folder(folder);
}
