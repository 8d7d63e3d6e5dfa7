/* The linker's public interface: it joins objects and archives to an image, with a map
 * and messages. Any higher layer may include it. Threads may link at the same time if
 * each has its own input. */
#ifndef JM_ASM_LINKER_H
#define JM_ASM_LINKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asm/objects/object.h"
#include "emu/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "section=address" as of mdpld -T: word address, hexadecimal (0x optional, as ld's -T
 * options) */
typedef struct {
    const char *section;
    uint32_t address;
} AsmLinkPlacement;

typedef struct {
    const AsmLinkPlacement *placements;
    int placement_count;
} AsmLinkOptions;

typedef struct AsmLinkInput AsmLinkInput; /* a growing list of objects and archives */

AsmLinkInput *asm_link_input_new(void);        /* NULL without memory */
void asm_link_input_free(AsmLinkInput *input); /* NULL is ignored */
/* An object is always linked; a member of an archive only if it defines a symbol that
 * is still undefined. asm_link_input_add_file() reads either. The input takes over
 * objects even if adding fails for want of memory. Bytes (`memory`) are not needed
 * afterwards. */
bool asm_link_input_add_file(AsmLinkInput *input, const char *path, JmError *error);
bool asm_link_input_add_memory(AsmLinkInput *input, const void *bytes, size_t size,
                               const char *name, JmError *error);
bool asm_link_input_add_object(AsmLinkInput *input, AsmObject *object,
                               const char *name);

typedef struct {
    AsmObject *image;  /* NULL if there was an error */
    char *diagnostics; /* one line each, "" if none; malloc'ed. NULL: memory ran
                          out, the one error */
    int errors;
} AsmLinkResult;

AsmLinkResult asm_link_objects(AsmLinkInput *input, const AsmLinkOptions *options);
void asm_link_result_free(AsmLinkResult *result);

/* Text of the map file of a linked image; malloc'ed; NULL without memory. */
char *asm_link_map(const AsmObject *image);

#ifdef __cplusplus
}
#endif

#endif
