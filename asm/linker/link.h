/* The linker's internals, shared by the files of asm/linker only.
 *
 *     objects, archives    input          everything given
 *            |
 *     objects in order     input          given ones, then the members they need;
 *            |                            who defines each global symbol
 *     image's sections     layout         sections of one name joined, then placed:
 *            |                            section_of[], offset_of[] of every object
 *     image                link           words, symbols, lines copied; relocations
 *
 * Each step reports all its errors; none stops at the first. */
#ifndef JM_ASM_LINK_H
#define JM_ASM_LINK_H

#include <stdio.h>

#include "asm/linker/linker.h"
#include "asm/objects/mem.h"
#include "asm/objects/names.h"

/* One object of the input, given or a member of an archive. */
typedef struct {
    AsmObject *object;
    char *name;  /* "a.o" or "lib.a(a.o)" */
    bool member; /* taken only when it is needed */
    bool taken;

    /* Where the sections of a taken object went, by its section number: the section of
     * the image, -1 if it was left out, and the place in it where the words begin. */
    int *section_of;
    uint32_t *offset_of;
} LinkObject;

struct AsmLinkInput {
    LinkObject *objects;
    int count;
};

/* The definition of a global symbol: which object, and which symbol of it. */
typedef struct {
    int object, symbol;
} LinkDefinition;

typedef struct {
    Heap *heap; /* of this link */
    AsmLinkInput *input;
    const AsmLinkOptions *options;
    MemText *messages;
    int errors;
    int *order; /* taken objects in the order of their sections */
    int taken;
    Names globals; /* name to index in `definitions` */
    LinkDefinition *definitions;
    int definition_count;
    AsmObject *image;
} Linker;

/* Ends the messages; the text is malloc'ed and freed when the heap ends, unless it is
 * kept. */
char *link_messages_close(Linker *linker);

/* Adds a message: `file`:`line`: error: ... (line 0: unknown; file NULL: the linker
 * itself). */
void link_error(Linker *linker, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Takes the objects given and the members needed; finds duplicate symbols. */
void link_choose(Linker *linker);

/* Joins sections of one name and places them; false if not all have an address. */
bool link_layout(Linker *linker);

/* Memory the linker places sections in; `low`..`high` inclusive. */
typedef struct {
    const char *name;
    uint32_t low, high;
} LinkRegion;
const LinkRegion *link_region(AsmObjectPlace place);

#endif
