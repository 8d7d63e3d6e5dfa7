#include "tests/asm/assembling.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

AsmObject *assembled(const char *source) {
    AsmResult result = asm_assemble(source, strlen(source), "t.s", NULL);
    cr_assert_str_eq(result.diagnostics, "", "of:\n%s\n%s", source, result.diagnostics);
    cr_assert_eq(result.errors, 0);
    cr_assert_not_null(result.object);
    AsmObject *object = result.object;
    result.object = NULL;
    asm_result_free(&result);
    return object;
}

char *refused(const char *source) {
    AsmResult result = asm_assemble(source, strlen(source), "t.s", NULL);
    cr_assert_null(result.object, "assembled:\n%s", source);
    cr_assert_gt(result.errors, 0);
    char *diagnostics = result.diagnostics;
    result.diagnostics = NULL;
    asm_result_free(&result);
    return diagnostics;
}

JmWord word_of(const AsmObject *object, const char *section, uint32_t offset) {
    for (int i = 0; i < object->section_count; i++)
        if (strcmp(object->sections[i].name, section) == 0) {
            cr_assert_lt(offset, object->sections[i].size, "word %u of %s", offset,
                         section);
            return object->sections[i].words[offset];
        }
    cr_assert_fail("no section %s", section);
    return JM_NIL;
}

void check_text(const char *source, int count, const JmWord *words) {
    AsmObject *object = assembled(source);
    cr_assert_eq(object->section_count, 1);
    cr_assert_eq(object->sections[0].size, (uint32_t)count, "%u words of:\n%s",
                 object->sections[0].size, source);
    for (int i = 0; i < count; i++)
        cr_assert_eq(object->sections[0].words[i].bits, words[i].bits,
                     "word %d is %09llX, not %09llX, of:\n%s", i,
                     (unsigned long long)object->sections[0].words[i].bits,
                     (unsigned long long)words[i].bits, source);
    asm_object_free(object);
}

void check_ints(const char *source, int count, const int32_t *numbers) {
    JmWord words[32];
    for (int i = 0; i < count; i++)
        words[i] = jm_int(numbers[i]);
    check_text(source, count, words);
}

const AsmObjectReloc *only_reloc(const AsmObject *object) {
    cr_assert_eq(object->reloc_count, 1, "%d relocations", object->reloc_count);
    return &object->relocs[0];
}

void check_message(const char *source, const char *expected) {
    char *diagnostics = refused(source);
    cr_assert_not_null(strstr(diagnostics, expected), "of:\n%s\nwanted:\n%s\ngot:\n%s",
                       source, expected, diagnostics);
    free(diagnostics);
}
