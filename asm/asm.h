/* The library's public interface: source text to objects and images, and back.
 *
 *     text  --asm_assemble-->  AsmObject  --asm_link_objects-->  image (an AsmObject)
 *     AsmObject or image  --asm_disassemble-->  text
 *
 * It never prints: messages are collected as text. The programs mdpas, mdpld and
 * mdpobjdump are thin mains over it. Nothing is kept between calls, and calls in
 * different threads do not interact. Running out of memory is an error of the call. No
 * room of the library includes this header. */
#ifndef JM_ASM_ASM_H
#define JM_ASM_ASM_H

#include "asm/assembler/assembler.h"
#include "asm/disassembler/disassembler.h"
#include "asm/linker/linker.h"

#endif
