/* Collects data for an index (index.h) while lines are read: uses of names, and the
 * lines of messages. */
#include <stdio.h>

#include "asm/assembler/assemble.h"

/* Returns the line (1..) of the source that holds the byte `offset`. */
static int line_at(const AsSource *source, size_t offset) {
    int low = 0;
    int high = source->line_count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (source->starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

/* Returns the spot of a byte of a source's text; its file is -1 if the byte is in no
 * source. */
static AsmSpot written_at(const Assembler *as, const char *at, int length) {
    for (int i = 0; i < as->source_count; i++) {
        const AsSource *source = &as->sources[i];
        const uintptr_t offset = (uintptr_t)at - (uintptr_t)source->text;
        if (offset >= source->length)
            continue;
        const int line = line_at(source, offset);
        return (AsmSpot){i, line, (int)(offset - source->starts[line - 1]) + 1, length};
    }
    return (AsmSpot){.file = -1};
}

/* Returns where a token of an expanded line is written, if it is written in one piece.
 * A suffix that the assembler added to a name does not count. */
static AsmSpot expanded_spot(const Assembler *as, const AsToken *token) {
    const char *const *origins = as->line.origins + (token->text - as->line.text);
    int length = token->length;
    while (length > 1 && !origins[length - 1])
        length--;
    for (int i = 0; i < length; i++)
        if (!origins[i] || origins[i] != origins[0] + i)
            return (AsmSpot){.file = -1};
    return written_at(as, origins[0], length);
}

static AsmSpot token_spot(const Assembler *as, const AsToken *token) {
    const AsStatement *statement = as->line.statement;
    if (!as->line.origins)
        return (AsmSpot){statement->source, statement->line, token->column,
                         token->length};
    const AsmSpot spot = expanded_spot(as, token);
    return spot.file >= 0
               ? spot
               : (AsmSpot){statement->source, statement->line, token->column, 0};
}

void as_index_keep(Assembler *as, const AsToken *token, AsmUseKind kind,
                   AsmUseRole role, int number) {
    AsIndexing *indexing = as->indexing;
    indexing->uses = as_grow(as->heap, indexing->uses, indexing->use_count,
                             &indexing->use_capacity, sizeof *indexing->uses);
    indexing->uses[indexing->use_count++] =
        (AsmIndexUse){token_spot(as, token), kind, role, number};
}

void as_index_said(Assembler *as, AsPlace place, AsmSeverity severity, int order,
                   const char *text) {
    AsIndexing *indexing = as->indexing;
    if (!indexing)
        return;
    indexing->said = as_grow(as->heap, indexing->said, indexing->said_count,
                             &indexing->said_capacity, sizeof *indexing->said);
    indexing->said[indexing->said_count++] =
        (AsSaid){place, severity, order, text, indexing->suggestion};
    indexing->suggestion = NULL;
}

void as_index_suggest(Assembler *as, const char *prefix, const char *name) {
    if (!as->indexing)
        return;
    char text[160] = "";
    const int length = name ? snprintf(text, sizeof text, "%s%s", prefix, name) : 0;
    as->indexing->suggestion = length > 0 && length < (int)sizeof text
                                   ? as_arena_copy(&as->arena, text, (size_t)length)
                                   : NULL;
}
