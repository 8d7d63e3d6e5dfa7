/* Prints the cross-reference of an index.
 *
 *     name         kind    value         defined    used
 *     main         global  .text 00003   a.s:4      a.s:9 b.inc:2 */
#include "tools/mdpas/cross.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "tools/host/memory.h"

/* A symbol or macro. */
typedef struct {
    const char *name;
    AsmUseKind kind;
    int index;
    AsmSpot at;
} Entry;

static int compare_entries(const void *a, const void *b) {
    const Entry *first = a, *second = b;
    const int names = strcmp(first->name, second->name);
    return names ? names : (int)first->kind - (int)second->kind;
}

static int compare_places(const void *a, const void *b) {
    const AsmIndexUse *first = *(const AsmIndexUse *const *)a;
    const AsmIndexUse *second = *(const AsmIndexUse *const *)b;
    const int files = first->at.file - second->at.file;
    return files ? files : first->at.line - second->at.line;
}

/* Returns the uses of an entry, by file and line, and their number. */
static const AsmIndexUse **uses_of(const AsmIndex *index, const Entry *entry,
                                   int *count) {
    const AsmIndexUse **uses = memory_array((size_t)index->use_count + 1, sizeof *uses);
    *count = 0;
    for (int i = 0; i < index->use_count; i++) {
        const AsmIndexUse *use = &index->uses[i];
        if (use->kind == entry->kind && use->index == entry->index && use->at.file >= 0)
            uses[(*count)++] = use;
    }
    qsort(uses, (size_t)*count, sizeof *uses, compare_places);
    return uses;
}

/* Prints the lines on which an entry has a role, each once; returns how many. */
static int put_places(FILE *out, const AsmIndex *index, const AsmIndexUse **uses,
                      int count, AsmUseRole role) {
    const AsmIndexUse *last = NULL;
    int printed = 0;
    for (int i = 0; i < count; i++) {
        if (uses[i]->role != role || (last && compare_places(&last, &uses[i]) == 0))
            continue;
        last = uses[i];
        fprintf(out, "%s%s:%d", printed++ ? " " : "",
                JM_SHOWN(index->files[last->at.file].name), last->at.line);
    }
    return printed;
}

static const char *kind_name(const AsmIndex *index, const Entry *entry) {
    static const char *const kinds[] = {"undefined", "label", "equ", "set"};
    if (entry->kind == ASM_USE_MACRO)
        return "macro";
    const AsmIndexSymbol *symbol = &index->symbols[entry->index];
    return symbol->global ? "global"
           : symbol->external && symbol->kind == ASM_SYMBOL_UNDEFINED
               ? "extern"
               : kinds[symbol->kind];
}

/* Prints the value of a symbol: a number, or a section and the word in it. */
static void put_value(FILE *out, const AsmIndex *index, const Entry *entry) {
    char value[64] = "-";
    const AsmIndexSymbol *symbol =
        entry->kind == ASM_USE_SYMBOL ? &index->symbols[entry->index] : NULL;
    if (symbol && symbol->known && symbol->section >= 0)
        snprintf(value, sizeof value, "%.40s+%" PRIX64,
                 JM_SHOWN(index->sections[symbol->section].name),
                 (uint64_t)symbol->number);
    else if (symbol && symbol->known)
        snprintf(value, sizeof value, "%" PRId64, symbol->number);
    fprintf(out, "  %-14s", value);
}

static void put_entry(FILE *out, const AsmIndex *index, const Entry *entry) {
    int count;
    const AsmIndexUse **uses = uses_of(index, entry, &count);
    fprintf(out, "%-24s  %-9s", JM_SHOWN(entry->name), kind_name(index, entry));
    put_value(out, index, entry);
    fputs("  ", out);
    if (!put_places(out, index, uses, count, ASM_ROLE_DEFINITION))
        putc('-', out);
    fputs("  ", out);
    if (!put_places(out, index, uses, count, ASM_ROLE_USE))
        putc('-', out);
    putc('\n', out);
    free(uses);
}

/* Whether an entry is shown: symbols that the assembler made up are not, and those of
 * included files if something uses them. */
static bool is_shown(const AsmIndex *index, const Entry *entry) {
    if (strchr(entry->name, '@') || entry->at.file < 0)
        return false;
    for (int i = 0; i < index->use_count; i++) {
        const AsmIndexUse *use = &index->uses[i];
        if (use->kind == entry->kind && use->index == entry->index &&
            use->role == ASM_ROLE_USE)
            return true;
    }
    return entry->at.file == 0;
}

char *cross_reference(const AsmIndex *index) {
    char *text = NULL;
    size_t size, count = 0;
    Entry *entries = memory_array(
        (size_t)index->symbol_count + (size_t)index->macro_count + 1, sizeof *entries);
    for (int i = 0; i < index->symbol_count; i++)
        entries[count++] =
            (Entry){index->symbols[i].name, ASM_USE_SYMBOL, i, index->symbols[i].at};
    for (int i = 0; i < index->macro_count; i++)
        entries[count++] =
            (Entry){index->macros[i].name, ASM_USE_MACRO, i, index->macros[i].at};
    qsort(entries, count, sizeof *entries, compare_entries);
    FILE *out = memory_checked(open_memstream(&text, &size));
    fprintf(out, "%-24s  %-9s  %-14s  defined  used\n", "; name", "kind", "value");
    for (size_t i = 0; i < count; i++)
        if (is_shown(index, &entries[i]))
            put_entry(out, index, &entries[i]);
    fclose(out);
    free(entries);
    return memory_checked(text);
}
