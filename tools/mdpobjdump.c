/* mdpobjdump: shows the contents of objects, images and archives. Each part begins with
 * its title and ends with an empty line; addresses are hexadecimal, counts decimal. The
 * disassembly (-d) alone is source that mdpas accepts. A file that cannot be read does
 * not keep the others from being shown. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "asm/objects/archive.h"
#include "asm/objects/bytes.h"
#include "emu/core/printable.h"
#include "tools/host/frame.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/mdpobjdump/json.h"
#include "tools/mdpobjdump/source_lines.h"

enum { EXIT_INPUT = 1, WORDS_PER_ROW = 4, TEXT_COLUMN = 24 };

/* The parts to be shown. They are printed in the order of these fields, the disassembly
 * last. */
typedef struct {
    FrameAsked asked;
    bool disassemble, headers, symbols, relocs, contents, lines;
    AsmDisassembleOptions options;
    const char *format;
    bool json;
    Json *items; /* of the array of objects in JSON */
} Show;

/* Names of relocation types, by number, from the table that defines them. */
static const char *const reloc_names[ASM_OBJECT_RELOC_COUNT] = {
#define RELOC(name, number, text) [number] = #name,
#include "asm/objects/relocs.def"
#undef RELOC
};

static void print_name(const char *name) {
    const size_t room = strlen(name) * JM_PRINTABLE_FACTOR + 1;
    char *text = memory_array(room, 1);
    fputs(jm_printable(name, text, room), stdout);
    free(text);
}

/* Offsets of a section without an address count from 0. */
static int32_t start_of(const AsmObjectSection *section) {
    return section->address == ASM_OBJECT_NO_ADDRESS ? 0 : section->address;
}

/* A row: number, address or '-' before the link, size, alignment in words, where it
 * may be placed, what it holds, name. The name is last since it may have blanks. */
static void show_headers(const AsmObject *object) {
    printf("Sections\n\n%3s  %-7s  %8s  %5s  %-8s  %-4s  name\n", "", "address",
           "words", "align", "place", "kind");
    for (int i = 0; i < object->section_count; i++) {
        const AsmObjectSection *s = &object->sections[i];
        printf("%3d  ", i);
        if (s->address == ASM_OBJECT_NO_ADDRESS)
            printf("-      ");
        else
            printf("%05" PRIX32 "  ", (uint32_t)s->address);
        printf("  %8" PRIu32 "  %5" PRIu32 "  %-8s  %-4s  ", s->size, s->align,
               asm_object_place_name(s->place),
               s->fill   ? "fill"
               : s->code ? "code"
                         : "data");
        print_name(s->name);
        putchar('\n');
    }
    putchar('\n');
}

/* Values of absolute symbols are decimal numbers, the others addresses or offsets. */
static void show_symbols(const AsmObject *object) {
    printf("Symbols\n\n%-20s  %-6s  %-12s  name\n", "value", "scope", "section");
    for (int i = 0; i < object->symbol_count; i++) {
        const AsmObjectSymbol *s = &object->symbols[i];
        char value[32] = "-", section[13] = "*undefined*";
        if (s->section == ASM_OBJECT_ABSOLUTE) {
            snprintf(value, sizeof value, "%" PRId64, s->value);
            snprintf(section, sizeof section, "*absolute*");
        } else if (s->section >= 0) {
            snprintf(value, sizeof value, "%s%05" PRIX64, s->value < 0 ? "-" : "",
                     (uint64_t)(s->value < 0 ? -s->value : s->value));
            snprintf(section, sizeof section, "%.12s",
                     object->sections[s->section].name);
        }
        printf("%-20s  %-6s  ", value, s->global ? "global" : "local");
        print_name(section);
        printf("%*s  ", 12 - (int)strlen(section), "");
        print_name(s->name);
        if (s->file) {
            printf("  ; ");
            print_name(s->file);
            printf(":%d", s->line);
        }
        putchar('\n');
    }
    putchar('\n');
}

/* The offset is in the section that is patched; the value is symbol plus addend. */
static void show_relocs(const AsmObject *object) {
    printf("Relocations\n\n%-7s  %-8s  section, value\n", "offset", "type");
    for (int i = 0; i < object->reloc_count; i++) {
        const AsmObjectReloc *r = &object->relocs[i];
        printf("%05" PRIX32 "    %-8s  ", r->offset, reloc_names[r->type]);
        print_name(object->sections[r->section].name);
        printf(", ");
        print_name(object->symbols[r->symbol].name);
        if (r->addend != 0)
            printf("%+" PRId64, r->addend);
        if (r->file >= 0) {
            printf("  ; ");
            print_name(object->files[r->file]);
            printf(":%d", r->line);
        }
        putchar('\n');
    }
    putchar('\n');
}

/* What the linker is to check: a sum of symbols and a number, compared with 0. */
static void show_assertions(const AsmObject *object) {
    static const char *const compare[] = {"<", "<=", "==", "!=", ">=", ">"};
    if (object->assert_count)
        puts("Assertions\n");
    for (int i = 0; i < object->assert_count; i++) {
        const AsmObjectAssert *a = &object->asserts[i];
        for (int k = 0; k < a->terms; k++) {
            printf("%s", a->term[k].minus ? k ? " - " : "-" : k ? " + " : "");
            print_name(object->symbols[a->term[k].symbol].name);
        }
        printf(" %s %" PRId64 ", ", compare[a->compare], -a->number);
        print_name(a->text);
        printf("  ; ");
        print_name(object->files[a->file]);
        printf(":%d\n", a->line);
    }
    if (object->assert_count)
        putchar('\n');
}

/* The address of the first word, then up to four words of nine hexadecimal digits. */
static void show_words(const AsmObjectSection *section) {
    for (uint32_t i = 0; i < section->size; i++) {
        if (i % WORDS_PER_ROW == 0)
            printf("%05" PRIX32 " ", (uint32_t)start_of(section) + i);
        printf(" %09" PRIX64, section->words[i].bits);
        if (i % WORDS_PER_ROW == WORDS_PER_ROW - 1 || i + 1 == section->size)
            putchar('\n');
    }
}

/* Sections without contents in the file are one line, however large. */
static void show_contents(const AsmObject *object) {
    for (int i = 0; i < object->section_count; i++) {
        const AsmObjectSection *section = &object->sections[i];
        if (section->size == 0)
            continue;
        printf("Contents of ");
        print_name(section->name);
        printf("\n\n");
        if (section->fill)
            printf("%05" PRIX32 "  %" PRIu32 " words NIL\n",
                   (uint32_t)start_of(section), section->size);
        else
            show_words(section);
        putchar('\n');
    }
}

/* Each row holds from its offset up to the next one. */
static void show_lines(const AsmObject *object) {
    printf("Lines\n\n%-8s  section, source\n", "from");
    for (int i = 0; i < object->line_count; i++) {
        const AsmObjectLine *row = &object->lines[i];
        const AsmObjectSection *section = &object->sections[row->section];
        printf("%05" PRIX32 "%s", (uint32_t)start_of(section) + row->offset,
               row->low ? " low" : "    ");
        putchar(' ');
        print_name(section->name);
        printf(", ");
        if (row->line > 0) {
            print_name(object->files[row->file]);
            printf(":%d\n", row->line);
        } else {
            printf("not known\n");
        }
    }
    putchar('\n');
}

static bool shows_text_part(const Show *what) {
    return what->headers || what->symbols || what->relocs || what->contents ||
           what->lines;
}

/* Writes an object as an item of the array. */
static void show_json(const Show *what, const AsmObject *object, const char *name) {
    const bool all = !what->disassemble && !shows_text_part(what);
    const JsonParts parts = {.sections = all || what->headers,
                             .symbols = all || what->symbols,
                             .relocations = all || what->relocs,
                             .words = all || what->disassemble || what->contents ||
                                      what->lines};
    json_object_write(object, name, parts, what->items);
}

/* Every object begins with a comment line that names it, so that -d of an archive is
 * clear and still source. */
static void show(const Show *what, const AsmObject *object, const char *name) {
    printf("; ");
    print_name(name);
    printf(": %s\n\n", object->image ? "image" : "object");
    if (what->headers)
        show_headers(object);
    if (what->symbols)
        show_symbols(object);
    if (what->relocs)
        show_relocs(object), show_assertions(object);
    if (what->contents)
        show_contents(object);
    if (what->lines)
        show_lines(object);
    if (what->disassemble && !asm_disassemble(object, &what->options, stdout))
        host_no_memory();
}

/* ---- files ----------------------------------------------------------------------- */

/* `name` is for the title and for errors; a member's is "lib.a(member)". */
static bool show_object(const Show *what, const void *bytes, size_t size,
                        const char *name) {
    JmError error;
    AsmObject *object = asm_object_read_memory(bytes, size, name, &error);
    if (!object)
        return host_report(&error);
    (what->json ? show_json : show)(what, object, name);
    asm_object_free(object);
    return true;
}

/* Shows every member of an archive; one that cannot be read does not keep the others
 * from being shown. The walk ends at the first malformed header, because the next
 * member cannot be found. */
static bool show_archive(const Show *what, const void *bytes, size_t size,
                         const char *name) {
    AsmArchive archive = asm_archive_open(bytes, size, name);
    AsmArchiveMember member;
    AsmArchiveResult result;
    JmError error;
    bool well = true;
    while ((result = asm_archive_next(&archive, &member, &error)) ==
           ASM_ARCHIVE_MEMBER) {
        char *full = memory_text("%s(%s)", name, member.name);
        well &= show_object(what, member.bytes, member.size, full);
        free(full);
    }
    return result == ASM_ARCHIVE_END ? well : host_report(&error);
}

/* Shows a file. Its first bytes, not its name, say whether it is an archive or an
 * object. */
static bool show_file(const Show *what, const char *path) {
    JmError error;
    size_t size;
    unsigned char *bytes = asm_bytes_read(path, &size, &error);
    if (!bytes)
        return host_report(&error);
    sources_begin(what->options.context, path);
    const bool well = asm_object_is_archive(bytes, size)
                          ? show_archive(what, bytes, size, path)
                          : show_object(what, bytes, size, path);
    free(bytes);
    return well;
}

/* ---- the command line ------------------------------------------------------------ */

static bool take_source(void *fields, char *argument, JmError *error) {
    Show *what = fields;
    (void)argument, (void)error;
    what->disassemble = true;
    what->options.source_line = sources_line;
    return true;
}

#define OPTIONS "tools/mdpobjdump/options.def"
#define OPTION_FIELDS Show
#include "tools/host/option_table.def"

static const Frame frame = {
    .options = {.command = "mdpobjdump", OPTION_TABLE},
    .column = TEXT_COLUMN,
    .head = "usage: mdpobjdump [OPTION]... file...\n"
            "Shows what is in MDP objects, images and archives; -d if nothing is said.",
    .foot = "Exit status: 0 done, 1 a file could not be read, 2 bad usage.",
};

static int command_line(int argc, char **argv) {
    Json items = {.out = stdout};
    Show what = {.items = &items};
    const int status = frame_options(&frame, argc, argv, &what);
    if (status != FRAME_GO_ON)
        return status;
    if (optind == argc && argc == 2 && strcmp(argv[1], "-h") == 0)
        return frame_help(&frame); /* as other programs do */
    if (optind == argc)
        return frame_bad_usage(&frame, "no input files", "");
    what.json = what.format && strcmp(what.format, "json") == 0;
    if (!shows_text_part(&what) && !what.json)
        what.disassemble = true;
    bool well = true;
    fputs(what.json ? "[" : "", stdout);
    what.options.context = sources_new();
    for (int i = optind; i < argc; i++)
        well &= show_file(&what, argv[i]);
    sources_free(what.options.context);
    fputs(what.json ? "]\n" : "", stdout);
    return well ? EXIT_SUCCESS : EXIT_INPUT;
}

int main(int argc, char **argv) {
    host_start();
    return host_end("mdpobjdump", command_line(argc, argv), EXIT_INPUT);
}
