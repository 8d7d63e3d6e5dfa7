/* A program that uses the installed library: makes a machine of two nodes, gives it a
 * program word by word, runs it and reads the result back. */
#include <emu/jm.h>
#include <stdio.h>
#include <stdlib.h>

/* R0 <- 40 (an inline constant); R0 <- R0 + 2; memory[10] <- R0; a loop to itself. */
static const char image[] = "* 01000 100000028\n"
                            "* 01001 %09llX\n"
                            "* 01002 %09llX\n";

static uint32_t instruction(JmOp op, unsigned op2, unsigned op1, unsigned op0) {
    return jm_encode_fields((unsigned)op, op2, op1, op0);
}

int main(void) {
    enum { IMMEDIATE = 0x20, OFFSET = 0x40, RESULT = 0xA };
    const JmWord work =
        jm_instruction_word(instruction(JM_OP_ADD, 0, 0, IMMEDIATE | 2),
                            instruction(JM_OP_WRITE, 0, 0, OFFSET | RESULT << 2));
    const JmWord idle = jm_instruction_word(
        instruction(JM_OP_BR, 3, 0, IMMEDIATE | 0x1F), instruction(JM_OP_NOP, 0, 0, 0));
    char text[sizeof image + 16];
    const int length = snprintf(text, sizeof text, image, (unsigned long long)work.bits,
                                (unsigned long long)idle.bits);

    JmConfig config = jm_config_default();
    config.size_x = 2;
    JmError error;
    JmMachine *machine = jm_create(&config, &error);
    if (!machine || !jm_load_text(machine, text, (size_t)length, "example", &error)) {
        fprintf(stderr, "%s\n", error.text);
        return EXIT_FAILURE;
    }
    const JmStop stop = jm_run(machine, 1000);
    printf("%s after %llu cycles: node 1 has %u\n", jm_stop_name(stop),
           (unsigned long long)jm_now(machine), jm_data(jm_read(machine, 1, RESULT)));
    const int good = stop == JM_STOP_IDLE && jm_data(jm_read(machine, 1, RESULT)) == 42;
    jm_destroy(machine);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
