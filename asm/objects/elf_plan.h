/* An ELF file about to be written: its sections in order, contents ready. Only
 * elf_plan.c (which makes it) and elf_write.c (which writes it) include this.
 */
#ifndef JM_ASM_ELF_PLAN_H
#define JM_ASM_ELF_PLAN_H

#include <libelf.h>

#include "asm/objects/elf_format.h"

typedef struct {
    Elf64_Shdr header; /* without sh_offset */
    Elf_Type type;     /* of the contents */
    void *bytes;       /* NULL for SHT_NOBITS and empty sections */
} ElfPlanSection;

typedef struct {
    ElfPlanSection *sections; /* 0 is the null section */
    size_t count;
    int *segments; /* object sections in the order of their program headers */
    int segment_count;
} ElfPlan;

/* The plan lasts as long as the heap. */
ElfPlan elf_plan(Heap *heap, const AsmObject *object);

#endif
