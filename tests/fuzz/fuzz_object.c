/* Fuzzes the reader of objects and archives, and everything that works on what it
 * accepted: linker, map, disassembler, look-ups. */
#include "tests/fuzz/fuzz.h"

static void use_image(const AsmObject *image) {
    size_t size;
    free(disassembly_of(image, &size));
    free(asm_link_map(image));
}

static void look_up(const AsmObject *object) {
    uint32_t offset;
    const char *file;
    int line;
    for (uint32_t address = 0; address <= JM_ADDRESS_MASK; address += 0x7F) {
        asm_object_symbol_at(object, address, &offset);
        asm_object_line_at(object, address, &file, &line);
    }
    asm_object_symbol(object, "main");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    JmError error = {.text = ""};
    AsmObject *object = asm_object_read_memory(data, size, "fuzz.o", &error);
    if (!object && !error.text[0])
        abort(); /* refused without a word */
    if (object && object->image) {
        look_up(object);
        use_image(object);
    }
    asm_object_free(object);
    AsmLinkInput *input = asm_link_input_new();
    if (asm_link_input_add_memory(input, data, size, "fuzz.a", &error)) {
        AsmLinkResult linked =
            asm_link_objects(input, &(AsmLinkOptions){.placement_count = 0});
        if (linked.image)
            use_image(linked.image);
        asm_link_result_free(&linked);
    }
    asm_link_input_free(input);
    return 0;
}
