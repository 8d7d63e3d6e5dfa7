#include "tests/asm/assembling.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static AsmObject *object_of(AsmResult result, const char *source) {
    cr_assert_not_null(result.object, "of:\n%s\n%s", source, result.diagnostics);
    AsmObject *object = result.object;
    result.object = NULL;
    asm_result_free(&result);
    return object;
}

AsmObject *assembled(const char *source) {
    AsmResult result = asm_assemble(source, strlen(source), "t.s", NULL);
    cr_assert_str_eq(result.diagnostics, "", "of:\n%s\n%s", source, result.diagnostics);
    return object_of(result, source);
}

AsmObject *assembled_as(const char *name, const char *source) {
    return object_of(asm_assemble(source, strlen(source), name, NULL), source);
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
