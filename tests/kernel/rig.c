#include "tests/kernel/rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "asm/asm.h"

static const char *build_folder(void) {
    const char *build = getenv("BUILD");
    return build ? build : "build";
}

static AsmObject *build_image(const char *name) {
    char source[512], generated[512], archive[512];
    snprintf(source, sizeof source, "tests/kernel/%s.s", name);
    snprintf(generated, sizeof generated, "%s/gen", build_folder());
    snprintf(archive, sizeof archive, "%s/libkernel.a", build_folder());
    const char *const folders[] = {"kernel", generated};
    AsmResult program = asm_assemble_file(
        source, &(AsmOptions){.include_dirs = folders, .include_count = 2});
    cr_assert_not_null(program.object, "%s", program.diagnostics);
    AsmLinkInput *input = asm_link_input_new();
    JmError error = {0};
    asm_link_input_add_object(input, program.object, source);
    cr_assert(asm_link_input_add_file(input, archive, &error), "%s", error.text);
    AsmLinkResult result = asm_link_objects(input, &(AsmLinkOptions){0});
    cr_assert_not_null(result.image, "%s", result.diagnostics);
    AsmObject *image = result.image;
    asm_link_input_free(input);
    program.object = result.image = NULL; /* given away */
    asm_result_free(&program);
    asm_link_result_free(&result);
    return image;
}

static void load(JmMachine *machine, const char *name) {
    AsmObject *image = build_image(name);
    char path[] = "/tmp/jm-kernel-XXXXXX";
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    JmError error = {0};
    cr_assert(asm_object_write(image, path, &error), "%s", error.text);
    cr_assert(jm_load_file(machine, path, JM_ALL_NODES, &error), "%s", error.text);
    unlink(path);
    asm_object_free(image);
}

JmMachine *rig_machine(const char *name, unsigned nodes) {
    JmConfig config = jm_config_default();
    config.size_x = nodes;
    JmError error = {0};
    JmMachine *machine = jm_create(&config, &error);
    cr_assert_not_null(machine, "%s", error.text);
    load(machine, name);
    return machine;
}

void rig_set(JmMachine *machine, const char *name, int32_t value) {
    uint32_t address;
    cr_assert(jm_symbol_word(machine, name, &address), "%s", name);
    jm_write_all(machine, address, jm_int(value));
}
