/* Everywhere that a name is written. */
#include "tools/mdpas/answers/answers.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/host/memory.h"

/* ---- lists of sites -------------------------------------------------------------- */

static bool same_place(const Unit *unit, AsmSpot at, const Unit *other,
                       AsmSpot of_other) {
    return at.file >= 0 && of_other.file >= 0 && at.line == of_other.line &&
           at.column == of_other.column &&
           strcmp(unit->reals[at.file], other->reals[of_other.file]) == 0;
}

void sites_add(Sites *sites, Site site) {
    for (int i = 0; i < sites->count; i++) {
        Site *other = &sites->items[i];
        if (!same_place(other->unit, other->at, site.unit, site.at))
            continue;
        if (site.role == ASM_ROLE_DEFINITION)
            other->role = site.role;
        return;
    }
    sites->items =
        memory_more(sites->items, (size_t)sites->count, sizeof *sites->items);
    sites->items[sites->count++] = site;
}

void sites_free(Sites *sites) {
    free(sites->items);
    *sites = (Sites){0};
}

/* ---- what is the same ------------------------------------------------------------ */

/* Whether a symbol may be known in sources that its own does not include. */
static bool is_shared(const AsmIndexSymbol *symbol) {
    return symbol->global || symbol->external;
}

/* Whether two symbols of units are the same: defined at the same place, or global with
 * the same name. */
static bool same_symbol(const Unit *unit, int symbol, const Unit *other, int of_other) {
    const AsmIndexSymbol *a = &unit->result.index->symbols[symbol];
    const AsmIndexSymbol *b = &other->result.index->symbols[of_other];
    if (unit == other && symbol == of_other)
        return true;
    if (is_shared(a) && is_shared(b) && strcmp(a->name, b->name) == 0)
        return true;
    return a->kind != ASM_SYMBOL_UNDEFINED && b->kind != ASM_SYMBOL_UNDEFINED &&
           a->at.length > 0 && same_place(unit, a->at, other, b->at);
}

/* ---- seeking --------------------------------------------------------------------- */

typedef struct {
    const At *at;
    const Target *target;
    const char *name; /* as it is written where nothing is assembled; NULL: not there */
    Sites sites;
} Seek;

static bool is_wanted(const Seek *seek, const Unit *unit, const AsmIndexUse *use) {
    const Unit *from = seek->at->unit;
    const Target *target = seek->target;
    if (target->kind == TARGET_SYMBOL && use->kind == ASM_USE_SYMBOL)
        return same_symbol(from, target->index, unit, use->index);
    if (target->kind == TARGET_MACRO && use->kind == ASM_USE_MACRO)
        return same_place(from, from->result.index->macros[target->index].at, unit,
                          unit->result.index->macros[use->index].at);
    return target->kind == TARGET_FILE && use->kind == ASM_USE_FILE &&
           strcmp(from->reals[target->index], unit->reals[use->index]) == 0;
}

/* The rows of a file that this unit does not assemble although it has read them. */
static char *plain_rows(const Unit *unit, int file, int count) {
    enum { PLAIN = 1, ASSEMBLED };
    char *rows = memory_array((size_t)count + 1, 1);
    const AsmIndex *index = unit->result.index;
    for (int i = 0; i < index->line_count; i++) {
        const AsmIndexLine *line = &index->lines[i];
        if (line->file == file && line->line <= count &&
            rows[line->line - 1] != ASSEMBLED)
            rows[line->line - 1] = line->plain ? PLAIN : ASSEMBLED;
    }
    for (int i = 0; i < count; i++)
        rows[i] = rows[i] == PLAIN;
    return rows;
}

static bool is_written(const Seek *seek, const Line *line, int lexeme) {
    const AsmLexeme *at = &line->lexemes[lexeme];
    int ignored;
    if (at->kind != ASM_LEXEME_NAME || line_is_parameter(line, lexeme, &ignored))
        return false;
    if (seek->target->kind == TARGET_MACRO)
        return lexeme == line->head && line_is(line, lexeme, seek->name);
    return (lexeme != line->head || line->assigns) &&
           text_is(line->text + at->offset, at->length, seek->name);
}

/* Adds `length` bytes of a lexeme in a row of a file. */
static void add_lexeme(Seek *seek, Unit *unit, int file, int row,
                       const AsmLexeme *lexeme, int length, AsmUseRole role) {
    sites_add(&seek->sites,
              (Site){unit, {file, row + 1, lexeme->offset + 1, length}, role});
}

/* Names in the bodies of macros that nothing calls, and in lines that conditions leave
 * out, count if they are written like the wanted one. */
static void seek_written(Seek *seek, const Work *work, Unit *unit, int file) {
    const Text *text = unit_text(work, unit, file);
    char *rows = plain_rows(unit, file, text->row_count);
    for (int row = 0; row < text->row_count; row++) {
        if (!rows[row])
            continue;
        Line line = line_read(text, row);
        for (int i = 0; i < line.code; i++)
            if (is_written(seek, &line, i))
                add_lexeme(seek, unit, file, row, &line.lexemes[i],
                           line.lexemes[i].length, ASM_ROLE_USE);
        line_free(&line);
    }
    free(rows);
}

static void seek_in(Seek *seek, Work *work, Unit *unit) {
    const AsmIndex *index = unit_index(work, unit);
    bool known = false;
    for (int i = 0; i < index->use_count; i++) {
        const AsmIndexUse *use = &index->uses[i];
        if (!is_wanted(seek, unit, use))
            continue;
        known = true;
        if (unit->reals[use->at.file][0])
            sites_add(&seek->sites, (Site){unit, use->at, use->role});
    }
    for (int file = 0; known && seek->name && file < index->file_count; file++)
        if (unit->reals[file][0])
            seek_written(seek, work, unit, file);
}

/* ---- parameters of macros -------------------------------------------------------- */

/* Parameters of the macro in a row of it: behind a backslash, or in its first line. */
static void seek_parameter(Seek *seek, Unit *unit, const Line *line, int row) {
    const AsmIndexMacro *macro = seek->target->macro;
    for (int i = 0; i < line->count; i++) {
        const AsmLexeme *at = &line->lexemes[i];
        int length = at->length;
        const bool header = row + 1 == macro->at.line && i > line->head + 1;
        if (at->kind == ASM_LEXEME_NAME &&
            (line_is_parameter(line, i, &length) || header) &&
            text_is(line->text + at->offset, length, seek->name))
            add_lexeme(seek, unit, macro->at.file, row, at, length,
                       header ? ASM_ROLE_DEFINITION : ASM_ROLE_USE);
    }
}

/* Arguments by keyword, `top=a1`, in a call. */
static void seek_keyword(Seek *seek, const Work *work, Unit *unit, AsmSpot call) {
    const Text *text = unit_text(work, unit, call.file);
    Line line = line_read(text, call.line - 1);
    for (int i = line.head + 1; i + 1 < line.code; i++) {
        const AsmLexeme *at = &line.lexemes[i];
        if (at->kind == ASM_LEXEME_NAME && line_is(&line, i + 1, "=") &&
            (i == line.head + 1 || line_is(&line, i - 1, ",")) &&
            text_is(line.text + at->offset, at->length, seek->name))
            add_lexeme(seek, unit, call.file, call.line - 1, at, at->length,
                       ASM_ROLE_USE);
    }
    line_free(&line);
}

static void seek_keywords(Seek *seek, Work *work, Unit *unit) {
    const AsmIndex *index = unit_index(work, unit);
    for (int i = 0; i < index->use_count; i++) {
        const AsmIndexUse *use = &index->uses[i];
        if (use->kind == ASM_USE_MACRO && use->role == ASM_ROLE_USE &&
            use->at.length > 0 && unit->reals[use->at.file][0] &&
            same_place(seek->at->unit, seek->target->macro->at, unit,
                       index->macros[use->index].at))
            seek_keyword(seek, work, unit, use->at);
    }
}

static void seek_parameters(Seek *seek, Work *work) {
    Unit *unit = seek->at->unit;
    const AsmIndexMacro *macro = seek->target->macro;
    const Text *text = unit_text(work, unit, macro->at.file);
    seek->name = macro->parameters[seek->target->index].name;
    for (int row = macro->at.line - 1; row < macro->end && row < text->row_count;
         row++) {
        Line line = line_read(text, row);
        seek_parameter(seek, unit, &line, row);
        line_free(&line);
    }
    Unit *other;
    for (int i = 0; (other = work_unit(work, macro->at.file != 0, i)); i++)
        seek_keywords(seek, work, other);
}

/* ---- the whole ------------------------------------------------------------------- */

/* Sources that are not open are read only for names that they may have. */
static bool seeks_all(const At *at, const Target *target) {
    const AsmIndex *index = at->unit->result.index;
    if (target->kind == TARGET_SYMBOL)
        return is_shared(&index->symbols[target->index]) ||
               index->symbols[target->index].at.file > 0;
    return target->kind == TARGET_FILE || index->macros[target->index].at.file > 0;
}

static Sites find_sites(Work *work, const At *at, const Target *target) {
    Seek seek = {.at = at, .target = target};
    const AsmIndex *index = at->unit->result.index;
    if (target->kind == TARGET_PARAMETER) {
        seek_parameters(&seek, work);
        return seek.sites;
    }
    if (target->kind == TARGET_SYMBOL &&
        !strpbrk(index->symbols[target->index].name, ".@"))
        seek.name = index->symbols[target->index].name;
    if (target->kind == TARGET_MACRO)
        seek.name = index->macros[target->index].name;
    const bool all = seeks_all(at, target);
    if (all)
        work_closed(work);
    seek_in(&seek, work, at->unit);
    Unit *unit;
    for (int i = 0; (unit = work_unit(work, all, i)); i++)
        seek_in(&seek, work, unit);
    return seek.sites;
}

bool named_find(Named *named, Server *server, const json_t *params) {
    *named = (Named){.server = server};
    if (!at_find(server, params, &named->at))
        return false;
    named->target = target_at(&named->at);
    if (named->target.kind != TARGET_NONE)
        named->sites = find_sites(&server->work, &named->at, &named->target);
    return true;
}

void named_free(Named *named) {
    sites_free(&named->sites);
    at_free(&named->at);
}
