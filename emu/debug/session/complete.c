/* Completion of the word at a place of a line. The arguments in the row of a command
 * are its grammar:
 *
 *     [ADDRESS [COUNT]] [on NODES]      kinds of things, and words that stand for
 *                                       themselves; [ optional parts
 *     stopped | blocked [NODE]          alternatives
 *     on|off                            a choice of words */
#include <ctype.h>
#include <string.h>

#include "asm/objects/object.h"
#include "emu/debug/session/session.h"
#include "emu/debug/talk/names.h"

enum { TOKENS_MAX = 48, TOKEN_SIZE = 80 };

/* A word to be completed, and the search for its `skip`-th match. */
typedef struct {
    const char *word;
    size_t length;
    unsigned skip; /* matches still to pass over */
    char *found;   /* the match, malloc'ed; NULL: none yet */
} Completion;

/* Offers a name with a prefix. True: it is the requested match. */
static bool offer(Completion *c, const char *prefix, const char *name) {
    char whole[512];
    const size_t length = (size_t)snprintf(whole, sizeof whole, "%s", prefix);
    jm_printable(name, whole + length, sizeof whole - length);
    if (strncmp(whole, c->word, c->length) != 0 || c->skip-- > 0)
        return false;
    c->found = strdup(whole);
    return true;
}

/* ---- the grammar ----------------------------------------------------------------- */

/* A place of the grammar: a kind in capitals, or words with | between them. */
typedef struct {
    char text[TOKEN_SIZE];
    unsigned alternative; /* alternative that it belongs to, from 1 */
    bool first;           /* the first of its alternative */
    bool optional;        /* it begins something in brackets */
} Token;

/* The arguments of a command, and where in them a word stands. */
typedef struct {
    const JmDebugCommand *command;
    Token token[TOKENS_MAX];
    unsigned count;
    /* token of the word to be completed; `count`: after all */
    unsigned at;
    unsigned alternative; /* alternative that has been chosen; 0: none */
} Grammar;

/* Copies a token without brackets, and without anything before a colon. */
static void strip(const char *raw, size_t length, char text[TOKEN_SIZE]) {
    size_t kept = 0;
    for (size_t i = 0; i < length && kept + 1 < TOKEN_SIZE; i++) {
        if (raw[i] == ':')
            kept = 0;
        else if (!strchr("[](),.", raw[i]))
            text[kept++] = raw[i];
    }
    text[kept] = '\0';
}

/* Splits the arguments of a command into tokens. */
static void read_grammar(Grammar *g) {
    const char *at = g->command->arguments;
    bool first = true;
    unsigned alternative = 0;
    if (strncmp(at, "[/", 2) == 0) /* a format after the name */
        at = strchr(at, ']') + 1;
    while (*(at += strspn(at, " ")) && g->count < TOKENS_MAX) {
        const size_t length = strcspn(at, " ");
        Token *token = &g->token[g->count];
        strip(at, length, token->text);
        token->optional = *at == '[';
        token->first = first;
        token->alternative = alternative += first;
        first = strcmp(token->text, "|") == 0;
        g->count += !first && *token->text != '\0' && strcmp(token->text, "or") != 0;
        at += length;
    }
}

/* Whether a token is a kind, like NODE; X|Y|Z are words. */
static bool is_kind(const Token *token) {
    return isupper((unsigned char)*token->text) && !strchr(token->text, '|');
}

/* Whether `word` is one of the words that a token stands for. */
static bool has_word(const Token *token, const char *word, size_t length) {
    const char *at = token->text;
    while (*at && !is_kind(token)) {
        const size_t size = strcspn(at, "|");
        if (size == length && strncmp(at, word, length) == 0)
            return true;
        at += size + (at[size] == '|');
    }
    return false;
}

/* Whether a token is an expression that may contain blanks. */
static bool is_long(const Token *token) {
    return strcmp(token->text, "EXPRESSION") == 0 ||
           strcmp(token->text, "CONDITION") == 0;
}

static bool is_expression(const Token *token) {
    static const char *const kinds[] = {"ADDRESS", "PLACE", "KEY", "HEADER", "WORD"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i], token->text) == 0)
            return true;
    return is_long(token);
}

/* Returns the token after token `i` in its alternative, or `count`. */
static unsigned behind(const Grammar *g, unsigned i) {
    return i + 1 < g->count && !g->token[i + 1].first ? i + 1 : g->count;
}

/* Moves on over a word that is written out: behind itself if the grammar has it, else
 * over the token that is expected. */
static void pass_word(Grammar *g, const char *word, size_t length) {
    unsigned i = 0;
    while (i < g->count && !has_word(&g->token[i], word, length))
        i++;
    const bool known = i < g->count;
    if (!known)
        i = g->at;
    if (i == g->count)
        return;
    g->alternative = g->token[i].alternative;
    if (known || !is_long(&g->token[i]))
        g->at = behind(g, i);
}

/* ---- the command of a line ------------------------------------------------------- */

/* Returns the command that a line begins with, aliases resolved, or NULL. */
static const JmDebugCommand *command_of(const JmDebug *d, const char *line,
                                        unsigned depth) {
    char word[64];
    Args args = {NULL, line, line};
    next_word(&args, word, sizeof word);
    const Alias *alias = depth < 4 ? alias_named(d, word) : NULL;
    if (alias)
        return command_of(d, alias->text, depth + 1);
    word[strcspn(word, "/")] = '\0';
    return command_named(word);
}

/* Finds the place in its grammar of the word at `start`. False: the command is
 * unknown. */
static bool find_place(const JmDebug *d, const char *line, size_t start, Grammar *g) {
    *g = (Grammar){.command = command_of(d, line, 0)};
    if (!g->command)
        return false;
    read_grammar(g);
    size_t at = strspn(line, " \t");
    at += strcspn(line + at, " \t");
    while ((at += strspn(line + at, " \t")) < start) {
        const size_t length = strcspn(line + at, " \t");
        pass_word(g, line + at, length);
        at += length;
    }
    return true;
}

/* ---- what is offered ------------------------------------------------------------- */

static bool offer_commands(const JmDebug *d, Completion *c) {
    for (unsigned i = 0; command_word(i); i++)
        if (offer(c, "", command_word(i)))
            return true;
    for (size_t i = 0; i < d->session->alias_count; i++)
        if (offer(c, "", d->session->aliases[i].name))
            return true;
    return false;
}

static bool offer_dollar(const JmDebug *d, Completion *c) {
    for (unsigned n = 0; n < JM_REG_COUNT; n++) {
        char lower[16] = "";
        const char *name = jm_reg_name(n);
        for (size_t i = 0; name && name[i] && i + 1 < sizeof lower; i++)
            lower[i] = (char)tolower((unsigned char)name[i]);
        if (name && offer(c, "$", lower))
            return true;
    }
    for (unsigned i = 0; own_variable(i);
         i++) /* $old has a meaning in conditions only */
        if (offer(c, "$", strcmp(own_variable(i), "old") ? own_variable(i) : "pc"))
            return true;
    for (size_t i = 0; i < d->values->variable_count; i++)
        if (offer(c, "$", d->values->variables[i].name))
            return true;
    return false;
}

/* Which symbols are offered. */
typedef bool Wanted(const AsmObject *image, const AsmObjectSymbol *symbol);

static bool is_defined(const AsmObject *image, const AsmObjectSymbol *symbol) {
    (void)image;
    return symbol->section != ASM_OBJECT_UNDEFINED;
}

static bool is_label_of_code(const AsmObject *image, const AsmObjectSymbol *symbol) {
    return symbol->section >= 0 && image->sections[symbol->section].code;
}

static bool offer_wanted(const JmDebug *d, Completion *c, const char *prefix,
                         Wanted *wanted) {
    const AsmObject *image = program_image(d->machine);
    for (int i = 0; image && i < image->symbol_count; i++)
        if (wanted(image, &image->symbols[i]) &&
            offer(c, prefix, image->symbols[i].name))
            return true;
    return false;
}

static bool offer_symbols(const JmDebug *d, Completion *c) {
    return offer_wanted(d, c, "", is_defined);
}

static bool offer_expression(const JmDebug *d, Completion *c) {
    if (*c->word == '$')
        return offer_dollar(d, c);
    return offer_wanted(d, c, *c->word == '[' ? "[" : "", is_defined);
}

/* Offers what can be an instruction's address: no constants, unless it is computed. */
static bool offer_code(const JmDebug *d, Completion *c) {
    return *c->word == '$' || *c->word == '['
               ? offer_expression(d, c)
               : offer_wanted(d, c, *c->word == '*' ? "*" : "", is_label_of_code);
}

/* Offers files, for FILE:LINE and FILE:SYMBOL. */
static bool offer_files(const JmDebug *d, Completion *c) {
    const AsmObject *image = program_image(d->machine);
    for (int i = 0; image && i < image->file_count; i++)
        if (offer(c, "", file_name(image->files[i])))
            return true;
    return false;
}

/* Offers what can be an address: constants too. */
static bool offer_addresses(const JmDebug *d, Completion *c) {
    return offer_expression(d, c) || offer_files(d, c);
}

static bool offer_locations(const JmDebug *d, Completion *c) {
    return offer_code(d, c) || offer_files(d, c);
}

static bool offer_number(Completion *c, uint64_t number) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return offer(c, "", text);
}

static bool offer_ranks(const JmDebug *d, Completion *c) {
    for (unsigned i = 0; i < d->machine->nodes; i++)
        if (offer_number(c, i))
            return true;
    return false;
}

static bool offer_nodes(const JmDebug *d, Completion *c) {
    return offer_ranks(d, c) || offer(c, "", "all");
}

static bool offer_stops(const JmDebug *d, Completion *c) {
    for (size_t i = 0; i < d->stops->count; i++)
        if (offer_number(c, d->stops->list[i].id))
            return true;
    return false;
}

static bool offer_displays(const JmDebug *d, Completion *c) {
    for (size_t i = 0; i < d->values->display_count; i++)
        if (offer_number(c, d->values->displays[i].id))
            return true;
    return false;
}

static bool offer_messages(const JmDebug *d, Completion *c) {
    const Net *net = netif_network(d->machine);
    NetMessageState state;
    for (uint32_t i = 0; i < net_message_numbers(net); i++)
        if (net_message_state(net, i, &state) && offer_number(c, i))
            return true;
    return false;
}

static const char *parameter_name(unsigned index) {
    return jm_parameter(index) ? jm_parameter(index)->name : NULL;
}

static const char *direction_name(unsigned index) {
    static const char *const names[] = {"+X", "-X", "+Y", "-Y", "+Z", "-Z"};
    return index < 6 ? names[index] : NULL;
}

typedef bool OfferFunction(const JmDebug *d, Completion *c);

/* The kinds for which something is offered: by a function, or from a list of names.
 * Nothing is offered for numbers, or for files, which the caller completes. */
static const struct {
    const char *kind;
    OfferFunction *offer;
    NameAt *name;
} offers[] = {{"NODE", offer_ranks, NULL},         {"NODES", offer_nodes, NULL},
              {"BOX", offer_nodes, NULL},          {"ADDRESS", offer_addresses, NULL},
              {"LOCATION", offer_locations, NULL}, {"HANDLER", offer_code, NULL},
              {"STOP", offer_stops, NULL},         {"COMMAND", offer_commands, NULL},
              {"DISPLAY", offer_displays, NULL},   {"MESSAGE", offer_messages, NULL},
              {"SYMBOL", offer_symbols, NULL},     {"FORMAT", NULL, format_name},
              {"NAMES", NULL, jm_fault_name},      {"OPS", NULL, op_name},
              {"KIND", NULL, traced_kind_name},    {"TOPIC", NULL, info_topic},
              {"PARAMETER", NULL, parameter_name}, {"DIRECTION", NULL, direction_name}};

static bool offer_kind(const JmDebug *d, Completion *c, size_t kind) {
    if (offers[kind].offer)
        return offers[kind].offer(d, c);
    for (unsigned i = 0; offers[kind].name(i); i++)
        if (offer(c, "", offers[kind].name(i)))
            return true;
    return false;
}

/* Offers the words that a token stands for. */
static bool offer_words(Completion *c, const Token *token) {
    for (const char *at = token->text; *at;) {
        char word[TOKEN_SIZE];
        const size_t length = strcspn(at, "|");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (isalnum((unsigned char)*word) && offer(c, "", word))
            return true;
        at += length + (at[length] == '|');
    }
    return false;
}

static bool offer_token(const JmDebug *d, Completion *c, const Token *token) {
    if (!is_kind(token))
        return offer_words(c, token);
    for (size_t i = 0; i < sizeof offers / sizeof *offers; i++)
        if (strcmp(offers[i].kind, token->text) == 0)
            return offer_kind(d, c, i);
    return is_expression(token) && offer_expression(d, c);
}

/* Whether a token may be skipped: optional kinds, and expressions that may have
 * ended. */
static bool can_be_passed(const Token *token) {
    return is_kind(token) && (token->optional || is_long(token));
}

/* Whether a token begins a clause, "[on NODES]". Clauses come in any order; those of
 * the last alternative belong to all. */
static bool is_clause(const Grammar *g, const Token *token) {
    const unsigned last = g->token[g->count - 1].alternative;
    return token->optional && !token->first && !is_kind(token) &&
           (token->alternative == g->alternative || token->alternative == last);
}

/* Whether token `i` may come here: it is expected, or everything before it is optional,
 * or it begins an alternative or a clause. */
static bool can_stand(const Grammar *g, unsigned i) {
    const Token *token = &g->token[i];
    unsigned k = g->at;
    while (k < i && can_be_passed(&g->token[k]) && behind(g, k) == k + 1)
        k++;
    return k == i || (g->alternative == 0 && token->first) ||
           (g->alternative > 0 && is_clause(g, token));
}

char *jm_debug_complete(const JmDebug *d, const char *line, size_t start,
                        unsigned index) {
    Completion c = {.word = line + start, .skip = index};
    Grammar g;
    c.length = strlen(c.word);
    if (strspn(line, " \t") == start)
        offer_commands(d, &c);
    else if (find_place(d, line, start, &g))
        for (unsigned i = 0; i < g.count && !c.found; i++)
            if (can_stand(&g, i))
                offer_token(d, &c, &g.token[i]);
    return c.found;
}

bool jm_debug_completes_file(const JmDebug *d, const char *line, size_t start) {
    Grammar g;
    return strspn(line, " \t") != start && find_place(d, line, start, &g) &&
           g.at < g.count && strcmp(g.token[g.at].text, "FILE") == 0;
}
