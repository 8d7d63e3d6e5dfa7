/* Fuzzes the reader of objects and archives, and everything that works on what it
 * accepted: linker, map, disassembler, look-ups. */
#include <stdio.h>
#include <stdlib.h>

#include "asm/asm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_image(const Object *image) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    asm_disassemble(image, NULL, out);
    fclose(out);
    free(text);
    free(link_map(image));
}

static void look_up(const Object *object) {
    uint32_t offset;
    const char *file;
    int line;
    for (uint32_t address = 0; address <= JM_ADDRESS_MASK; address += 0x7F) {
        object_symbol_at(object, address, &offset);
        object_line_at(object, address, &file, &line);
    }
    object_symbol(object, "main");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    JmError error = {.text = ""};
    Object *object = object_read_memory(data, size, "fuzz.o", &error);
    if (!object && !error.text[0])
        abort(); /* refused without a word */
    if (object && object->image) {
        look_up(object);
        use_image(object);
    }
    object_free(object);
    LinkInput *input = link_input_new();
    if (link_input_add_memory(input, data, size, "fuzz.a", &error)) {
        LinkResult linked = link_objects(input, &(LinkOptions){.placement_count = 0});
        if (linked.image)
            use_image(linked.image);
        link_result_free(&linked);
    }
    link_input_free(input);
    return 0;
}
