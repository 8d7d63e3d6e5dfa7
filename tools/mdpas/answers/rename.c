/* Renames a thing everywhere. A thing that cannot be renamed, or would mean something
 * else under the new name, is refused with the reason. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/mdpas/answers/answers.h"

static const AsmIndexSymbol *symbol_of(const Named *r) {
    return &r->at.unit->result.index->symbols[r->target.index];
}

/* ---- what may be renamed --------------------------------------------------------- */

static bool deny(const Named *r, const char *format, const char *name) {
    refuse(r->server, PROBLEM_FAILED, format, name);
    return false;
}

/* Reports why a word that is not a target cannot be renamed. */
static bool deny_word(const Named *r) {
    const At *at = &r->at;
    if (at->lexeme < 0)
        return deny(r, "there is no name here%s", "");
    const AsmLexeme *lexeme = &at->line.lexemes[at->lexeme];
    char *name = memory_text("%.*s", lexeme->length < 60 ? lexeme->length : 60,
                             at->line.text + lexeme->offset);
    const char *why =
        word_register(name, strlen(name))                  ? "'%s' is a register"
        : word_find(word_instructions, name, strlen(name)) ? "'%s' is an instruction"
        : name[0] == '.' && word_find(word_directives, name + 1, strlen(name) - 1)
            ? "'%s' is a directive"
            : "'%s' is not a name that can be changed";
    deny(r, why, name);
    free(name);
    return false;
}

static bool starts_with(const char *path, const char *folder) {
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 &&
           (path[length] == '/' || path[length] == '\0' || folder[length - 1] == '/');
}

/* Whether a file may be written: it is open, or in the workspace. */
static bool is_ours(const Work *work, const char *real) {
    bool ours = document_of(work, real) != NULL;
    for (int i = 0; !ours && i < work->folders.count; i++) {
        char *folder = realpath(work->folders.items[i], NULL);
        ours = folder && starts_with(real, folder);
        free(folder);
    }
    return ours;
}

/* Whether a file belongs to the kernel, whose folders are last in the include path. */
static bool is_kernel(const Work *work, const char *real) {
    bool kernel = false;
    for (int i = work->own_folders; i < work->options.include_count; i++) {
        char *folder = realpath(work->options.include_dirs[i], NULL);
        kernel = kernel || (folder && starts_with(real, folder));
        free(folder);
    }
    return kernel;
}

static bool check_symbol(const Named *r) {
    const AsmIndexSymbol *symbol = symbol_of(r);
    if (isdigit((unsigned char)symbol->name[0]))
        return deny(r, "a numeric label has no name%s", "");
    if (json_object_get(r->server->work.kernel, symbol->name))
        return deny(r, "'%s' is a name of the kernel", symbol->name);
    bool defined = false;
    for (int i = 0; i < r->sites.count; i++)
        defined = defined || r->sites.items[i].role == ASM_ROLE_DEFINITION;
    return defined || deny(r, "nothing here defines '%s'", symbol->name);
}

static bool check_sites(const Named *r) {
    const Work *work = &r->server->work;
    for (int i = 0; i < r->sites.count; i++) {
        const Site *site = &r->sites.items[i];
        const char *real = site->unit->reals[site->at.file];
        if (site->at.length == 0)
            return deny(r, "a macro puts this name together, in %s", real);
        if (site->role == ASM_ROLE_DEFINITION && is_kernel(work, real))
            return deny(r, "this is a name of the kernel, in %s", real);
        if (!is_ours(work, real))
            return deny(r, "it is written in %s too, which is not of the workspace",
                        real);
    }
    return r->sites.count > 0 || deny_word(r);
}

/* Finds everything to rename. False and the reason if it is refused. */
static bool prepare(Named *r, Server *server, const json_t *params) {
    if (!named_find(r, server, params))
        return false;
    if (r->target.kind == TARGET_NONE || r->target.kind == TARGET_FILE)
        return deny_word(r);
    return (r->target.kind != TARGET_SYMBOL || check_symbol(r)) && check_sites(r);
}

/* Where the short name of a local label begins in its whole one; -1: not local. */
static int local_part(const Named *r) {
    if (r->target.kind != TARGET_SYMBOL)
        return -1;
    const char *dot = strrchr(symbol_of(r)->name, '.');
    return dot ? (int)(dot - symbol_of(r)->name) : -1;
}

/* Returns the bytes of the scope that a local label is written with, 0 if without: only
 * the rest changes. */
static size_t behind_scope(const Named *r, const Text *text, size_t from) {
    const int local = local_part(r);
    return local > 0 && text->bytes[from] != '.' ? (size_t)local : 0;
}

json_t *answer_prepareRename(Server *server, const json_t *params) {
    Named r;
    json_t *answer = NULL;
    if (prepare(&r, server, params)) {
        const Text *text = &r.at.document->text;
        size_t from = r.at.line.start + (size_t)r.target.from;
        const size_t to = from + (size_t)r.target.length;
        from += behind_scope(&r, text, from);
        answer =
            json_pack("{s:o,s:o}", "range", text_range(text, from, to), "placeholder",
                      jvalue_text_of(text->bytes + from, to - from));
    }
    named_free(&r);
    return answer;
}

/* ---- the new name ---------------------------------------------------------------- */

/* Whether a text is a name of the wanted form: one lexeme, with a dot in front if it is
 * local; a parameter has no dots. */
static bool is_name(const Named *r, const char *name, bool local) {
    AsmLexeme *lexemes = memory_array(strlen(name) + 1, sizeof *lexemes);
    const int count = asm_lex_line(name, (int)strlen(name), lexemes);
    const bool one = count == 1 && lexemes[0].kind == ASM_LEXEME_NAME &&
                     (size_t)lexemes[0].length == strlen(name) && !strpbrk(name, "'@");
    free(lexemes);
    const bool dots = strchr(name + (local && name[0] == '.'), '.') != NULL;
    return one && (name[0] == '.') == local &&
           !(r->target.kind == TARGET_PARAMETER && (dots || strchr(name, '$')));
}

static bool is_word(const char *name) {
    const size_t length = strlen(name);
    return word_find(word_registers, name, length) ||
           word_find(word_constants, name, length) ||
           word_find(word_instructions, name, length) ||
           strncasecmp(name, "TAG_", 4) == 0;
}

/* Whether a unit already has the complete name for something of the same kind. */
static bool has_name(const Named *r, const AsmIndex *index, const char *name) {
    if (r->target.kind == TARGET_PARAMETER) {
        for (int i = 0; i < r->target.macro->count; i++)
            if (strcmp(r->target.macro->parameters[i].name, name) == 0)
                return true;
        return false;
    }
    for (int i = 0; r->target.kind == TARGET_MACRO && i < index->macro_count; i++)
        if (strcasecmp(index->macros[i].name, name) == 0)
            return true;
    for (int i = 0; r->target.kind == TARGET_SYMBOL && i < index->symbol_count; i++)
        if (strcmp(index->symbols[i].name, name) == 0)
            return true;
    return false;
}

/* Whether the new name can be used everywhere. `whole`: with the scope, if it is a
 * local label's. */
static bool check_name(const Named *r, const char *name, const char *whole) {
    if (!is_name(r, name, local_part(r) >= 0))
        return deny(r, "'%.60s' is not a name that may stand here", name);
    if (is_word(name))
        return deny(r, "'%s' is a word of the language", name);
    if (json_object_get(r->server->work.kernel, name))
        return deny(r, "'%s' is a name of the kernel", name);
    for (int i = 0; i < r->sites.count; i++)
        if (has_name(r, r->sites.items[i].unit->result.index, whole))
            return deny(r, "there is a '%s' already", whole);
    return true;
}

/* ---- edits ----------------------------------------------------------------------- */

static void add_edit(const Named *r, json_t *changes, const Site *site, Bytes bytes,
                     const char *name) {
    char *uri = unit_uri(&r->server->work, site->unit, site->at.file);
    const Text *text = unit_text(&r->server->work, site->unit, site->at.file);
    json_t *edits = json_object_get(changes, uri);
    if (!edits) {
        edits = json_array();
        jvalue_set(changes, uri, edits);
    }
    json_array_append_new(edits, text_edit(text, bytes.from, bytes.to, name));
    free(uri);
}

static void edit_site(const Named *r, json_t *changes, const Site *site,
                      const char *name) {
    const Text *text = unit_text(&r->server->work, site->unit, site->at.file);
    Bytes bytes = spot_bytes(text, site->at);
    bytes.from += behind_scope(r, text, bytes.from);
    add_edit(r, changes, site, bytes, name);
}

/* Adds the places of a unit where local labels are written with their scope, `old`. */
static void find_scopes(Sites *scopes, Unit *unit, const char *old) {
    const AsmIndex *index = unit->result.index;
    const size_t length = strlen(old);
    for (int i = 0; i < index->use_count; i++) {
        const AsmIndexUse *use = &index->uses[i];
        const char *other =
            use->kind == ASM_USE_SYMBOL ? index->symbols[use->index].name : "";
        if (strncmp(other, old, length) == 0 && other[length] == '.' &&
            use->at.length > 0 && (size_t)use->at.length == strlen(other))
            sites_add(scopes, (Site){unit, use->at, use->role});
    }
}

/* A label is also the scope of its local ones, which may be written with it. */
static void edit_scopes(const Named *r, json_t *changes, const char *name) {
    const char *old = symbol_of(r)->name;
    Sites scopes = {0};
    for (int i = 0; i < r->sites.count; i++)
        if (i == 0 || r->sites.items[i].unit != r->sites.items[i - 1].unit)
            find_scopes(&scopes, r->sites.items[i].unit, old);
    for (int i = 0; i < scopes.count; i++) {
        const Site *scope = &scopes.items[i];
        const Text *text = unit_text(&r->server->work, scope->unit, scope->at.file);
        Bytes bytes = spot_bytes(text, scope->at);
        bytes.to = bytes.from + strlen(old);
        add_edit(r, changes, scope, bytes, name);
    }
    sites_free(&scopes);
}

static json_t *edits(const Named *r, const char *name) {
    json_t *changes = json_object();
    for (int i = 0; i < r->sites.count; i++)
        edit_site(r, changes, &r->sites.items[i], name);
    if (r->target.kind == TARGET_SYMBOL && local_part(r) < 0)
        edit_scopes(r, changes, name);
    return json_pack("{s:o}", "changes", changes);
}

/* The dot of a local label need not be typed. */
json_t *answer_rename(Server *server, const json_t *params) {
    Named r;
    json_t *answer = NULL;
    const char *wanted = json_string_value(json_object_get(params, "newName"));
    if (!wanted)
        return refuse(server, PROBLEM_INVALID_PARAMS, "the request has no new name");
    if (prepare(&r, server, params)) {
        const int local = local_part(&r);
        char *name =
            memory_text("%s%s", local >= 0 && wanted[0] != '.' ? "." : "", wanted);
        char *whole = memory_text("%.*s%s", local >= 0 ? local : 0,
                                  local >= 0 ? symbol_of(&r)->name : "", name);
        if (check_name(&r, name, whole))
            answer = edits(&r, name);
        free(name);
        free(whole);
    }
    named_free(&r);
    return answer;
}
