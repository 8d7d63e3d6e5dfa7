/* mkinc: writes mdp.inc, the machine's numbers for assembly programs, to standard
 * output. Every .equ comes from one of the emulator's own tables. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/core/word.h"

/* A symbol of mdp.inc. */
typedef struct {
    const char *prefix, *name;
    uint32_t value;
    const char *text;
} Row;

enum {
    VECTORS = 0x40,
    VECTORS_1 = 0x60,
    CALLS = 0x80,
    ROM = 0x1000,
    EXTERNAL = 0x2000
};

static const Row map_rows[] = {
    {"", "VECTORS", VECTORS, "fault vectors, priority 0 and background"},
    {"", "VECTORS_1", VECTORS_1, "fault vectors, priority 1"},
    {"", "CALLS", CALLS, "CALL vectors"},
    {"", "ROM", ROM, "first word of ROM; execution starts here"},
    {"", "EXTERNAL", EXTERNAL, "first word of external DRAM"},
};

static const Row flag_rows[] = {
    {"ADDR_", "RELOCATABLE", JM_ADDR_RELOCATABLE, "R bit of an ADDR word"},
    {"ADDR_", "INVALID", JM_ADDR_INVALID, "I bit of an ADDR word"},
    {"IP_", "UNCHECKED", JM_IP_UNCHECKED, "U bit of an IP or MSG word"},
    {"IP_", "FAULT", JM_IP_FAULT, "F bit of an IP or MSG word"},
    {"IP_", "PHASE", JM_IP_PHASE, "phase bit of an IP word"},
    {"IP_", "ABSOLUTE", JM_IP_ABSOLUTE, "A bit of an IP word"},
};

static const Row tag_rows[] = {
#define TAG(name, number, text) {"TAG_", #name, number, text},
#include "emu/isa/tags.def"
#undef TAG
};

static const Row fault_rows[] = {
#define FAULT(name, number, key, text) {"FAULT_", #name, number, text},
#include "emu/isa/faults.def"
#undef FAULT
};

static const Row vector_rows[] = {
#define FAULT(name, number, key, text) {"VECTOR_", #name, VECTORS + (number), text},
#include "emu/isa/faults.def"
#undef FAULT
};

static const Row host_rows[] = {
#define HOST(name, address, access, text) {"HOST_", #name, address, #access ": " text},
#include "emu/machine/hostpage.def"
#undef HOST
};

static void print_rows(const char *title, const Row *rows, size_t count) {
    printf("\n; %s\n", title);
    for (size_t i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s,", rows[i].prefix, rows[i].name);
        printf("        .equ    %-20s 0x%-8" PRIX32 " ; %s\n", name, rows[i].value,
               rows[i].text);
    }
}

#define PRINT(title, rows) print_rows(title, rows, sizeof(rows) / sizeof *(rows))

int main(void) {
    puts("; Generated from the tables of the emulator; do not edit.\n"
         "        .ifndef MDP_INC                 ; to be included more than once\n"
         "        .equ    MDP_INC, 1");
    PRINT("Memory map", map_rows);
    PRINT("Flags of ADDR, IP and MSG words", flag_rows);
    PRINT("Tags", tag_rows);
    PRINT("Faults", fault_rows);
    PRINT("Addresses of the fault vectors of priority 0; priority 1: + 0x20",
          vector_rows);
    PRINT("Host page", host_rows);
    puts("        .endif");
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
