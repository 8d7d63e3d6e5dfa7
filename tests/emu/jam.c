/* A workload that fills queues, with the kernel. */
#include "tests/emu/jam.h"

#include <criterion/criterion.h>

/* jam_draw: a number into R3 and a node's address into R1, node 1 one time in two.
 * jam_send: a message of 5 words, and one of 7, to R1. */
static const char program[] = "        .include \"kernel.inc\"\n"
                              "        .global main, jam_mask, jam_seed, jam_count\n"
                              "        .data\n"
                              "jam_mask: .word INT:0x21\n"
                              "jam_count: .word INT:2\n"
                              "bursts: .word INT:2\n"
                              "left:   .word INT:0\n"
                              "jam_seed: .word INT:0\n"
                              "        .macro jam_draw\n"
                              "        load jam_seed,r3\n"
                              "        .word INT:0x343FD\n"
                              "        mul r3,r0,r3\n"
                              "        .word INT:0x269EC3\n"
                              "        add r3,r0,r3\n"
                              "        store r3,jam_seed\n"
                              "        lsh r3,-9,r1\n"
                              "        load jam_mask,r2\n"
                              "        and r1,r2,r1\n"
                              "        lsh r3,-15,r2\n"
                              "        lsh r2,-5,r2\n"
                              "        and r2,1,r2\n"
                              "        bz r2,^.there\\@\n"
                              "        move 1,r1\n"
                              ".there\\@:\n"
                              "        .endm\n"
                              "        .macro jam_send handler, words, priority\n"
                              "        .msg \\handler,\\words,U\n"
                              "        send2 r1,r0,\\priority\n"
                              "        .rept (\\words - 3) / 2\n"
                              "        send2 r3,r2,\\priority\n"
                              "        .endr\n"
                              "        send2e r3,r2,\\priority\n"
                              "        .endm\n"
                              "        .ext\n"
                              "main:   .ip .begin,U\n"
                              "        ldip r0\n"
                              ".begin: load HOST_SEED,r3\n"
                              "        store r3,jam_seed\n"
                              ".burst: load bursts,r1\n"
                              "        bz r1,^.none\n"
                              "        sub r1,1,r1\n"
                              "        store r1,bursts\n"
                              "        load jam_count,r1\n"
                              "        store r1,left\n"
                              ".next:  mask r0\n"
                              "        jam_draw\n"
                              "        jam_send hop,5,0\n"
                              "        load left,r1\n"
                              "        sub r1,1,r1\n"
                              "        store r1,left\n"
                              "        bnz r1,^.next\n"
                              "        constant 150,r2\n"
                              ".rest:  sub r2,1,r2\n"
                              "        bnz r2,^.rest\n"
                              "        br ^.burst\n"
                              ".none:  goto kernel_idle\n"
                              "        .rom\n"
                              "        .align 4\n"
                              "hop:    move [0,a3],r1\n"
                              "        and r1,15,r1\n"
                              "        sub r1,1,r1\n"
                              "        move [r1,a3],r2\n"
                              "        jam_draw\n"
                              "        enter r1,r3\n"
                              "        and r3,0xFF,r2\n"
                              "        lsh r2,-2,r2\n"
                              "        or r2,1,r2\n"
                              ".pause: sub r2,1,r2\n"
                              "        bnz r2,^.pause\n"
                              "        lsh r3,-12,r2\n"
                              "        and r2,7,r2\n"
                              "        bz r2,^.urgent\n"
                              "        sub r2,2,r0\n"
                              "        bz r0,^.long\n"
                              "        lt r2,6,r0\n"
                              "        bt r0,^.end\n"
                              "        jam_send hop,5,0\n"
                              ".end:   suspend\n"
                              ".long:  jam_send hop,7,0\n"
                              "        suspend\n"
                              ".urgent: jam_send hop,7,1\n"
                              "        suspend\n";

Rig *jam_open(const JmConfig *config) {
    Rig *rig = rig_open_kernel(config, program);
    if (!rig)
        return NULL;
    const uint32_t mask =
        (config->size_x - 1) | (config->size_y - 1) << 5 | (config->size_z - 1) << 10;
    jam_set(rig, "jam_mask", (int32_t)mask);
    jam_set(rig, "kernel_queue0", 32);
    jam_set(rig, "kernel_queue1", 32);
    return rig;
}

void jam_set(Rig *rig, const char *symbol, int32_t value) {
    for (unsigned node = 0; node < jm_node_count(rig->machine); node++)
        rig_set_word(rig, node, symbol, jm_int(value));
}
