/* The linker's inside, shared by asm/link*.c and asm/map.c only.
 *
 * One run: choose the objects (link_choose), join their sections and give them
 * addresses (link_layout), then symbols, lines and relocations (link.c). Each step
 * reports all its errors; none stops at the first. */
#ifndef JM_ASM_LINK_H
#define JM_ASM_LINK_H

#include <stdio.h>

#include "asm/asm.h"
#include "asm/names.h"

/* One object of the input, given or a member of an archive. */
typedef struct {
    Object *object;
    char *name;  /* "a.o" or "lib.a(a.o)" */
    bool member; /* taken only when it is needed */
    bool taken;

    /* Of a taken object, by its section number: the image's section, -1 if it was left
     * out, and where in it the words begin. */
    int *section_of;
    uint32_t *offset_of;
} LinkObject;

struct LinkInput {
    LinkObject *objects;
    int count;
};

/* Who defines a global symbol. */
typedef struct {
    int object, symbol;
} LinkDefinition;

typedef struct {
    LinkInput *input;
    const LinkOptions *options;
    FILE *messages;
    int errors;
    int *order; /* taken objects in the order of their sections */
    int taken;
    Names globals; /* name to index in `definitions` */
    LinkDefinition *definitions;
    int definition_count;
    Object *image;
} Linker;

/* Adds a message: `file`:`line`: error: ... (line 0: not known; file NULL: the
 * linker's). */
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
const LinkRegion *link_region(ObjectPlace place);

#endif
