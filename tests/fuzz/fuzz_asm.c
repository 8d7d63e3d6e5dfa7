/* Fuzzes the assembler with source text. An object must link or be refused, and an
 * image must be reproduced, word for word, by assembling its disassembly. */
#define _GNU_SOURCE
#include "tests/fuzz/fuzz.h"

static AsmObject *assemble_and_link(const char *text, size_t size) {
    AsmResult result =
        asm_assemble(text, size, "fuzz.s", &(AsmOptions){.listing = true});
    AsmObject *image = NULL;
    if (result.object) {
        AsmLinkInput *input = asm_link_input_new();
        asm_link_input_add_object(input, result.object, "fuzz.o");
        result.object = NULL;
        AsmLinkResult linked =
            asm_link_objects(input, &(AsmLinkOptions){.placement_count = 0});
        image = linked.image;
        linked.image = NULL;
        asm_link_result_free(&linked);
        asm_link_input_free(input);
    } else if (!result.diagnostics || !result.diagnostics[0]) {
        abort(); /* failed without a word */
    }
    asm_result_free(&result);
    return image;
}

/* Word `address` of an image; false if no section holds it. */
static bool word_at(const AsmObject *image, int32_t address, JmWord *word) {
    for (int i = 0; i < image->section_count; i++) {
        const AsmObjectSection *s = &image->sections[i];
        if (address >= s->address && address < s->address + (int64_t)s->size) {
            *word = s->fill ? JM_NIL : s->words[address - s->address];
            return true;
        }
    }
    return false;
}

static void check_same(const AsmObject *a, const AsmObject *b) {
    for (int i = 0; i < a->section_count; i++) {
        const AsmObjectSection *s = &a->sections[i];
        for (uint32_t w = 0; w < s->size; w++) {
            JmWord again;
            const JmWord word = s->fill ? JM_NIL : s->words[w];
            if (!word_at(b, s->address + (int32_t)w, &again) || !jm_same(word, again))
                abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    /* Included files would read the disk. */
    if (memmem(data, size, "nclude", 6) || memmem(data, size, "NCLUDE", 6))
        return 0;
    AsmObject *image = assemble_and_link((const char *)data, size);
    if (!image)
        return 0;
    size_t length;
    char *text = disassembly_of(image, &length);
    AsmObject *again = assemble_and_link(text, length);
    if (!again)
        abort();
    check_same(image, again);
    asm_object_free(again);
    asm_object_free(image);
    free(text);
    return 0;
}
