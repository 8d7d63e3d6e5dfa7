/* The linker's face: objects and archives in, an image, a map and messages out. Anyone
 * above may include it. Calls in different threads do not meet. */
#ifndef JM_ASM_LINKER_H
#define JM_ASM_LINKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asm/objects/object.h"
#include "emu/core/status.h"

/* "section=address" as of mdpld -T: word address, hexadecimal (0x optional, as ld's -T
 * options) */
typedef struct {
    const char *section;
    uint32_t address;
} LinkPlacement;

typedef struct {
    const LinkPlacement *placements;
    int placement_count;
} LinkOptions;

typedef struct LinkInput LinkInput; /* a growing list of objects and archives */

LinkInput *link_input_new(void);
void link_input_free(LinkInput *input);
/* An object is taken always; an archive's members only when they define a symbol that
 * is undefined so far. `link_input_add_file` reads either. Objects given become the
 * input's. Archive bytes (`memory`) must stay valid until the link. */
bool link_input_add_file(LinkInput *input, const char *path, JmError *error);
bool link_input_add_memory(LinkInput *input, const void *bytes, size_t size,
                           const char *name, JmError *error);
void link_input_add_object(LinkInput *input, Object *object, const char *name);

typedef struct {
    Object *image;     /* NULL if there was an error */
    char *diagnostics; /* one line each, "" if none; malloc'ed */
    int errors;
} LinkResult;

LinkResult link_objects(LinkInput *input, const LinkOptions *options);
void link_result_free(LinkResult *result);

/* Text of the map file of a linked image; malloc'ed. */
char *link_map(const Object *image);

#endif
