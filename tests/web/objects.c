/* objects-bare FILE...: whether objects of these sources, and an image of each, are the
 * same after the stand-in for libelf has written and read them. Prints what differs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "asm/objects/object.h"

static const char *text(const char *maybe) {
    return maybe ? maybe : "-";
}

static void print_sections(const AsmObject *o, FILE *out) {
    for (int i = 0; i < o->section_count; i++) {
        const AsmObjectSection *s = &o->sections[i];
        fprintf(out, "section %s %d %d %d %d %" PRIu32 " %" PRIu32, s->name, s->place,
                s->code, s->fill, s->address, s->align, s->size);
        for (uint32_t w = 0; w < s->size && !s->fill; w++)
            fprintf(out, " %" PRIX64, s->words[w].bits);
        putc('\n', out);
    }
}

static void print_asserts(const AsmObject *o, FILE *out) {
    for (int i = 0; i < o->assert_count; i++) {
        const AsmObjectAssert *a = &o->asserts[i];
        fprintf(out, "assert %d %" PRId64 " %s %d %d", (int)a->compare, a->number,
                a->text, a->file, a->line);
        for (int k = 0; k < a->terms; k++)
            fprintf(out, " %d %d", a->term[k].symbol, a->term[k].minus);
        putc('\n', out);
    }
}

static void print_object(const AsmObject *o, FILE *out) {
    fprintf(out, "image %d\n", o->image);
    print_sections(o, out);
    for (int i = 0; i < o->file_count; i++)
        fprintf(out, "file %s\n", o->files[i]);
    for (int i = 0; i < o->symbol_count; i++) {
        const AsmObjectSymbol *s = &o->symbols[i];
        fprintf(out, "symbol %s %d %" PRId64 " %d %s %d\n", s->name, s->section,
                s->value, s->global, text(s->file), s->line);
    }
    for (int i = 0; i < o->reloc_count; i++) {
        const AsmObjectReloc *r = &o->relocs[i];
        fprintf(out, "reloc %d %" PRIu32 " %d %d %" PRId64 " %d %d\n", r->section,
                r->offset, r->type, r->symbol, r->addend, r->file, r->line);
    }
    print_asserts(o, out);
    for (int i = 0; i < o->line_count; i++) {
        const AsmObjectLine *l = &o->lines[i];
        fprintf(out, "line %d %" PRIu32 " %d %d low %d goes on %d\n", l->section,
                l->offset, l->file, l->line, l->low, l->goes_on);
    }
}

static char *printed(const AsmObject *object) {
    char *bytes = NULL;
    size_t size;
    FILE *out = open_memstream(&bytes, &size);
    print_object(object, out);
    fclose(out);
    return bytes;
}

/* Whether an object comes back as it was. */
static bool comes_back(const AsmObject *object, const char *name) {
    JmError error = {.text = ""};
    size_t size;
    void *bytes = asm_object_bytes(object, name, &size, &error);
    AsmObject *again = bytes ? asm_object_read_memory(bytes, size, name, &error) : NULL;
    char *before = printed(object), *after = again ? printed(again) : strdup("nothing");
    const bool same = strcmp(before, after) == 0;
    if (!same)
        printf("%s: %s\n%swas:\n%s", name, error.text, after, before);
    asm_object_free(again);
    free(before);
    free(after);
    free(bytes);
    return same;
}

static bool check(const char *path) {
    AsmResult result = asm_assemble_file(path, &(AsmOptions){0});
    AsmLinkInput *input = asm_link_input_new();
    bool good = result.object && comes_back(result.object, path);
    if (result.object)
        asm_link_input_add_object(input, result.object, path);
    result.object = NULL;
    AsmLinkResult linked = asm_link_objects(input, NULL);
    good = good && linked.image && comes_back(linked.image, path);
    fputs(linked.image ? "" : linked.diagnostics, stdout);
    asm_link_result_free(&linked);
    asm_link_input_free(input);
    asm_result_free(&result);
    return good;
}

int main(int count, char **paths) {
    bool good = true;
    for (int i = 1; i < count; i++)
        good = check(paths[i]) && good;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
