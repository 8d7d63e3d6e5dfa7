/* Fuzzes the loader with ELF and text images, and runs what it accepted for a while. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Again made;
    JmConfig config = jm_config_default();
    config.size_x = 2;
    JmError error = {.text = ""};
    JmMachine *machine = again(&made, &config, NULL);
    const bool loaded =
        asm_object_is_elf(data, size)
            ? jm_load_elf(machine, data, size, "fuzz.elf", JM_ALL_NODES, &error)
            : jm_load_text(machine, (const char *)data, size, "fuzz.txt", &error);
    if (!loaded && !error.text[0])
        abort(); /* refused without a word */
    jm_run(machine, loaded ? 1000 : 10);
    jm_explain(machine, drop_row, NULL);
    again_back(&made);
    return 0;
}
