/* Directives for sections and places in them: .section, .org, .align.
 *
 * A section is made by the first directive that names it. While it is empty its place,
 * whether it has contents, and its address (.org) can still be set. The linker joins
 * sections of one name. */
#include <ctype.h>
#include <string.h>

#include "asm/assembler/assemble.h"

#define NOP_WORD jm_instruction_word(0, 0)

/* What the names of the standard sections imply, ignoring case; those of other sections
 * imply the same as .data. */
typedef struct {
    const char *name;
    AsmObjectPlace place;
    bool code;
} Standard;

static const Standard *standard(AsText name) {
    static const Standard standards[] = {
        {".data", ASM_OBJECT_PLACE_ONCHIP, false},
        {".text", ASM_OBJECT_PLACE_ONCHIP, true},
        {".rom", ASM_OBJECT_PLACE_ROM, true},
        {".ext", ASM_OBJECT_PLACE_EXTERNAL, true},
        {".vectors", ASM_OBJECT_PLACE_VECTORS, false},
    };
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++)
        if (as_text_is(name, standards[i].name))
            return &standards[i];
    return standards;
}

int as_section_find(Assembler *as, const char *name, int length) {
    for (int i = 0; i < as->section_count; i++)
        if (strlen(as->sections[i].name) == (size_t)length &&
            memcmp(as->sections[i].name, name, (size_t)length) == 0)
            return i;
    if (as->section_count == AS_SECTIONS_LIMIT) {
        as_error(as, as_here(as, as->tokens), "more than %d sections",
                 AS_SECTIONS_LIMIT);
        return -1;
    }
    const Standard *implied = standard((AsText){name, length});
    as->sections = mem_grow(as->heap, as->sections, (size_t)as->section_count,
                            sizeof *as->sections);
    as->sections[as->section_count] =
        (AsSection){.name = mem_arena_copy(&as->arena, name, (size_t)length),
                    .place = implied->place,
                    .code = implied->code,
                    .address = ASM_OBJECT_NO_ADDRESS,
                    .align = 1};
    return as->section_count++;
}

/* Changes the current section; a negative number, from an error, changes nothing. The
 * section that is left ends its word, so that coming back starts a new one. */
static void enter(Assembler *as, int section) {
    if (section < 0)
        return;
    as_flush(as);
    as->section = section;
}

/* .text and its like. A section that .section made with other attributes is entered
 * without a message. */
void as_do_standard(Assembler *as) {
    const char *name = standard(as_token_text(as->at - 1))->name;
    as_expect_end(as);
    if (!as->failed)
        enter(as, as_section_find(as, name, (int)strlen(name)));
}

/* The attributes stated by a .section; -1: not stated. */
typedef struct {
    int place, code, fill;
} Attributes;

/* The attributes code and data imply contents, fill implies none. */
static bool section_attribute(const AsToken *token, Attributes *attributes) {
    for (int i = 0; i <= ASM_OBJECT_PLACE_EXTERNAL; i++)
        if (as_word_is(token, asm_object_place_name((AsmObjectPlace)i))) {
            attributes->place = i;
            return true;
        }
    const bool code = as_word_is(token, "code");
    const bool fill = as_word_is(token, "fill");
    if (!code && !fill && !as_word_is(token, "data"))
        return false;
    attributes->code = code;
    attributes->fill = fill;
    return true;
}

/* Makes the section, or checks that an existing one agrees with the attributes stated.
 * Attributes not stated stay as they were; a new section takes the standard ones. */
static void apply_attributes(Assembler *as, AsText name, Attributes said,
                             AsPlace place) {
    const int before = as->section_count;
    const int index = as_section_find(as, name.text, name.length);
    if (index < 0)
        return;
    AsSection *section = &as->sections[index];
    if (section->size == 0 && !section->anchor) {
        if (said.fill >= 0)
            section->fill = said.fill;
        if (said.place >= 0)
            section->place = (AsmObjectPlace)said.place;
    } else if (said.place >= 0 && (int)section->place != said.place) {
        as_error(as, place, "section '%s' is %s already, it cannot become %s",
                 section->name, asm_object_place_name(section->place),
                 asm_object_place_name((AsmObjectPlace)said.place));
        return;
    } else if (said.fill >= 0 && section->fill != said.fill) {
        as_error(as, place, "section '%s' %s", section->name,
                 section->fill ? "is fill already, it cannot get contents"
                               : "has contents already, it cannot become fill");
        return;
    }
    if (said.code == 1 || (said.code == 0 && index == before))
        section->code = said.code;
    enter(as, index);
}

/* Whether a section may have this name. A quoted name may contain blanks. */
static bool good_name(AsText name) {
    for (int i = 0; i < name.length; i++)
        if (!isprint((unsigned char)name.text[i]) || strchr("\"\\", name.text[i]))
            return false;
    return name.length > 0;
}

/* Attributes are collected first, so that a line with an error changes nothing. */
void as_do_section(Assembler *as) {
    const AsPlace place = as_here(as, as->at);
    AsText name = as_token_text(as->at);
    Attributes said = {-1, -1, -1};
    if (as->at->kind == AS_TOKEN_STRING) {
        name.text++;
        name.length -= 2;
    } else if (as->at->kind != AS_TOKEN_NAME) {
        as_unexpected(as, "the name of a section");
        return;
    }
    as->at++;
    if (!good_name(name)) {
        as_error(as, place,
                 "the name of a section has printable characters, no quote or "
                 "backslash");
        return;
    }
    while (as_accept(as, ',')) {
        if (!section_attribute(as->at, &said)) {
            as_unexpected(as, "vectors, onchip, rom, external, code, data or fill");
            return;
        }
        as->at++;
    }
    as_expect_end(as);
    if (!as->failed)
        apply_attributes(as, name, said, place);
}

/* In code the padding is NOPs: execution may run through it. */
static JmWord padding(Assembler *as) {
    const AsSection *section = as_current(as);
    return section->code && !section->fill ? NOP_WORD : JM_NIL;
}

/* An empty section is placed; a placed one moves forward. After its first word the
 * address can no longer be fixed, because the linker may put words from other files
 * before it. */
void as_do_org(Assembler *as) {
    const AsPlace place = as_here(as, as->at);
    int64_t address = 0;
    if (!as_constant(as, "an address", &address))
        return;
    as_expect_end(as);
    AsSection *section = as_current(as);
    const bool fixed = section->address != ASM_OBJECT_NO_ADDRESS;
    if (as->failed)
        return;
    if (address < 0 || address > JM_ADDRESS_MASK)
        as_error(as, place, "address %lld is not in 0 .. 0x%X", (long long)address,
                 JM_ADDRESS_MASK);
    else if (!fixed && section->size > 0)
        as_error(as, place,
                 ".org cannot fix the address of section '%s': it has contents already",
                 section->name);
    else if (!fixed && address % section->align != 0)
        as_error(as, place,
                 "address 0x%llX is not a multiple of the section's .align %u",
                 (long long)address, section->align);
    else if (!fixed)
        section->address = (int32_t)address;
    else if (address < section->address + (int64_t)section->size)
        as_error(as, place, ".org 0x%llX goes backwards from 0x%llX",
                 (long long)address, (long long)section->address + section->size);
    else
        as_emit_fill(as, address - section->address - section->size, padding(as));
}

/* In a section at a fixed address, addresses are aligned. In a section that the linker
 * places, offsets are aligned, and the section gets the largest alignment in it. */
void as_do_align(Assembler *as) {
    const AsPlace place = as_here(as, as->at);
    int64_t align = 0;
    if (!as_constant(as, "an alignment", &align))
        return;
    as_expect_end(as);
    if (as->failed)
        return;
    if (align < 1 || align > AS_WORDS_LIMIT || (align & (align - 1)) != 0) {
        as_error(as, place, "alignment %lld is not a power of two in 1 .. 0x%X",
                 (long long)align, AS_WORDS_LIMIT);
        return;
    }
    AsSection *section = as_current(as);
    int64_t at = section->size;
    if (section->address != ASM_OBJECT_NO_ADDRESS)
        at += section->address; /* the address itself stays as .org fixed it */
    else if (section->align < align)
        section->align = (uint32_t)align;
    as_emit_fill(as, -at & (align - 1), padding(as));
}
