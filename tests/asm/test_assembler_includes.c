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

/* A folder comes before memory, but not for what files in memory include. */
Test(includes, folders_come_before_memory) {
    static const char source[] = " .include \"a.inc\"\n .include \"b.inc\"\n";
    static const AsmFile files[] = {MEMORY("a.inc", " .include \"b.inc\"\n"),
                                    MEMORY("b.inc", " .word 2\n")};
    char folder[] = "/tmp/jm-test-XXXXXX", path[64];
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/b.inc", folder);
    FILE *out = fopen(path, "w");
    fputs(" .word 9\n", out);
    fclose(out);
    const AsmOptions options = {.include_dirs = (const char *const[]){folder},
                                .include_count = 1,
                                .files = files,
                                .file_count = 2};
    AsmResult result = asm_assemble(source, sizeof source - 1, "t.s", &options);
    cr_assert_not_null(result.object, "%s", result.diagnostics);
    cr_expect(jm_same(word_of(result.object, ".text", 0), jm_int(2)));
    cr_expect(jm_same(word_of(result.object, ".text", 1), jm_int(9)));
    asm_result_free(&result);
    unlink(path);
    rmdir(folder);
}
